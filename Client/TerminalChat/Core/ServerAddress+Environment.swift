import PolyMessaging
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ServerAddress {
    /// Nil when one of the two addresses makes no URL.
    var environment: Environment? {
        guard let rest = URL(string: restBase), let socket = URL(string: socketBase) else { return nil }
        return .custom(restBaseURL: rest, wsBaseURL: socket)
    }
}
