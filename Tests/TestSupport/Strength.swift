#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How much a test repeats: a share of it every day, and with `POLYMOCK_STRENGTH=full`, as `.ci/nightly` has it, all.
package enum Strength {
    package static func of<Amount>(_ daily: Amount, full: Amount) -> Amount {
        ProcessInfo.processInfo.environment["POLYMOCK_STRENGTH"] == "full" ? full : daily
    }
}
