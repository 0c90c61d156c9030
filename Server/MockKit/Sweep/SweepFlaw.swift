#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A mistake that a client could make when it connects again, made between it and the network: shows that a sweep
/// finds such mistakes.
package enum SweepFlaw: Sendable, Equatable, CaseIterable {
    /// Asks for what follows one event more than it has.
    case cursorTooFar
    /// Takes the last reply of the agent or a person once more after a reconnect, as one of another id.
    case repeatsLastReply

    /// The address that is dialled in place of `url`.
    func address(_ url: URL) -> URL {
        guard self == .cursorTooFar, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return url }
        parts.queryItems = parts.queryItems?.map { item in
            guard item.name == "cursor", let number = item.value.flatMap({ UInt64($0) }) else { return item }
            return URLQueryItem(name: "cursor", value: "\(number + 1)")
        }
        return parts.url ?? url
    }
}
