import RunWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Configuration of an agent: its URL and the protocol options.
///
/// ```swift
/// var configuration = AGUIConfiguration(url: URL(string: "http://127.0.0.1:8787/ag-ui/desk")!)
/// configuration.headers["Authorization"] = "Bearer …"
/// configuration.profile = .v1
/// ```
public struct AGUIConfiguration: Sendable {
    /// Version of AG-UI.
    public enum Profile: Sendable, Equatable {
        /// Requests declare no version.
        case v0
        /// Requests declare the version, and the order of events is checked more strictly.
        case v1

        var wire: RunProfile { self == .v1 ? .v1 : .v0 }
    }

    /// The URL of requests. Path and query are sent unchanged; a request for a stored thread appends `/connect` to the
    /// path.
    public var url: URL
    /// Further header fields of each request. `Host`, `Content-Length`, `Connection` and `Transfer-Encoding` are
    /// ignored.
    public var headers: [String: String] = [:]
    /// The version of AG-UI. Default: 0.
    public var profile = Profile.v0
    /// Timeout in seconds from the request to the response headers. Default: 30.
    public var connectTimeout: TimeInterval = 30
    /// Maximum time in seconds without received data; SSE comments count as data. Default: 60. Nil means no limit.
    public var idleTimeout: TimeInterval? = 60
    /// Maximum bytes of one event. Default: 16 MiB. A longer event ends the stream with an error.
    public var maxEventBytes = 16 * 1_024 * 1_024
    /// Whether an order of events that AG-UI does not allow ends the stream with an error. Default: true.
    public var verifiesSequence = true

    /// Makes a configuration with the default options.
    public init(url: URL) {
        self.url = url
    }
}
