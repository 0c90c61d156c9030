/// The error of starting a server or of reading its settings, with the reason.
///
/// ```swift
/// do {
///     try configuration.apply(file: "settings.json5")
/// } catch {
///     print(error)     // settings.json5:2:3: error: There is no setting "prot" here. Did you mean "port"?
/// }
/// ```
public enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The server cannot listen on the address.
    case cannotListen(String)
    /// A fixture is missing or has mistakes, or a configuration file has mistakes. The text contains the findings.
    case fixture(String)
    /// A setting is invalid.
    case configuration(String, fix: String)

    /// A sentence with the problem and the fix. For a fixture, there is one line per finding.
    public var description: String {
        switch self {
        case .cannotListen(let reason), .fixture(let reason): reason
        case .configuration(let problem, let fix): "\(problem); \(fix)"
        }
    }
}
