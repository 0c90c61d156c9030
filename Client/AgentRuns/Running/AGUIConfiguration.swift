import RunWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Address of an agent and options of the protocol.
///
/// ```swift
/// var configuration = AGUIConfiguration(url: URL(string: "http://127.0.0.1:8787/ag-ui/desk")!)
/// configuration.headers["Authorization"] = "Bearer …"
/// configuration.profile = .v1
/// ```
public struct AGUIConfiguration: Sendable {
    /// Version of AG-UI.
    public enum Profile: Sendable, Equatable {
        /// The version that all agents understand.
        case v0
        /// Version 1: requests name it, and the order of events is checked more strictly.
        case v1

        var wire: RunProfile { self == .v1 ? .v1 : .v0 }
    }

    /// The URL of requests; `http`. Path and query are sent as they are.
    public var url: URL
    /// Fields of each request besides those that AG-UI needs.
    public var headers: [String: String] = [:]
    /// The version of AG-UI; 0 by default.
    public var profile = Profile.v0
    /// Seconds until the agent must have begun to answer; 30 by default.
    public var connectTimeout: TimeInterval = 30
    /// Seconds without a byte after which a stream counts as dead; 60 by default, nil waits for ever. Comments count.
    public var idleTimeout: TimeInterval? = 60
    /// Bytes of one event; 16 MiB by default. A longer one ends the stream with an error.
    public var maxEventBytes = 16 * 1_024 * 1_024
    /// Whether events in a wrong order end the stream with an error; true by default.
    public var verifiesSequence = true

    /// A configuration for requests to `url`.
    public init(url: URL) {
        self.url = url
    }
}
