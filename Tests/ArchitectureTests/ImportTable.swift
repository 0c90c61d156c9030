/// Who may import whom, besides the standard library. The only other list is `Package.swift`.
struct ImportTable {
    /// Folder to modules. A folder that is missing here fails the test.
    let allowed: [String: Set<String>]

    static let libc: Set<String> = ["Android", "Bionic", "Darwin", "Glibc", "Musl"]

    static let current = ImportTable(allowed: [
        "Shared/Clocks": libc,
        "Shared/Texts": ["CSHA256"],
        "Shared/Patterns": [],
        "Shared/MessagingWire": ["Texts"],
        "Shared/RunWire": ["Texts"],
        "Shared/HTTPCore": [],
        "Shared/WebSocketCore": ["HTTPCore", "Texts"],
        "Shared/Deflate": ["CZlib", "WebSocketCore"],
        "Shared/SocketTransport": libc.union(["CEpoll", "CKqueue", "Clocks", "Dispatch"]),
        "Shared/HTTPClient": ["Clocks", "HTTPCore", "SocketTransport", "WebSocketCore"],
        "Server/Matching": ["Clocks", "Patterns", "Texts"],
        "Server/ConversationEngine": ["Clocks", "Matching", "Patterns"],
        "Server/Fixtures": [
            "Clocks", "ConversationEngine", "EmbeddedFixtures", "Matching", "Patterns", "RunWire", "Texts",
        ],
        "Server/Dialects/DialectKit": [
            "Clocks", "ConversationEngine", "HTTPCore", "Texts", "Timeline",
        ],
        // Of any protocol; what each of them uses, `Package.swift` says.
        "Server/Dialects": [
            "Clocks", "ConversationEngine", "DialectKit", "EmbeddedFixtures", "HTTPCore", "Matching",
            "MessagingWire", "RunWire", "Texts", "Timeline",
        ],
        "Server/Timeline": ["Clocks", "Patterns", "Texts"],
        "Server/ServerCore": [
            "Clocks", "ConversationEngine", "DialectKit", "HTTPCore", "Matching", "Timeline",
            "WebSocketCore",
        ],
        "Server/MockServer": [
            "Clocks", "ConversationEngine", "Deflate", "DialectKit", "Fixtures", "HTTPCore", "Matching",
            "Pages", "ServerCore", "SocketTransport", "Texts", "Timeline", "WebSocketCore",
        ],
        "Server/FixtureTools": [
            "Clocks", "ConversationEngine", "Fixtures", "Matching", "PolyDialect", "SocketTransport", "Texts",
        ],
        "Server/MockKit": [
            "AgentRuns", "ClientSupport", "Clocks", "ConnectCore", "ConversationEngine", "DialectKit",
            "FixtureTools", "Fixtures", "Foundation", "FoundationEssentials", "HTTPClient", "HTTPCore",
            "Matching",
            "MockServer", "Patterns", "PolyMessaging", "SocketTransport", "Texts", "Timeline",
            "WebSocketCore",
        ],
        "Server/PolyMockTesting": ["Foundation", "MockKit", "MockServer", "Testing", "XCTest"],
        "Server/ControlClient": [
            "Clocks", "HTTPClient", "HTTPCore", "SocketTransport", "Texts", "WebSocketCore",
        ],
        "Server/CLI": [
            "Clocks", "ControlClient", "FixtureTools", "Fixtures", "LoadTest", "MockKit", "MockServer",
            "SocketTransport",
            "TerminalChat", "Texts", "Timeline",
        ],
        "Client/ClientSupport": [
            "Clocks", "Foundation", "FoundationEssentials", "HTTPClient", "HTTPCore", "SocketTransport",
            "WebSocketCore",
        ],
        "Client/ConnectCore": [
            "ClientSupport", "Clocks", "Combine", "Foundation", "FoundationEssentials", "HTTPClient",
            "HTTPCore", "SocketTransport", "Texts", "WebSocketCore",
        ],
        "Client/ConnectChat": ["Clocks", "ConnectCore", "Foundation", "HTTPCore", "Texts"],
        "Client/PolyMessaging": [
            "ClientSupport", "Clocks", "Combine", "Foundation", "FoundationEssentials", "HTTPClient",
            "HTTPCore",
            "MessagingWire", "SocketTransport", "Texts", "WebSocketCore",
        ],
        "Client/AgentRuns": [
            "ClientSupport", "Clocks", "Foundation", "FoundationEssentials", "HTTPClient", "HTTPCore",
            "RunWire", "Texts",
        ],
        "Client/AssistantEvents": ["AgentRuns", "Clocks", "Dispatch", "Texts"],
        "Client/ChatPresentation": [
            "Clocks", "Foundation", "FoundationEssentials", "PolyMessaging", "Texts",
        ],
        "Client/ContactPresentation": [
            "ChatPresentation", "ConnectCore", "Foundation", "FoundationEssentials", "Texts",
        ],
        "Client/RunPresentation": ["AgentRuns", "ChatPresentation", "Clocks", "RunWire", "Texts"],
        "Client/ChatViews": [
            "ChatPresentation", "ClientSupport", "Combine", "Foundation", "PolyMessaging", "SwiftUI", "UIKit",
        ],
        "Client/Examples": [
            "AgentRuns", "ChatPresentation", "ChatViews", "Combine", "ConnectChat", "ContactPresentation",
            "ExyteChat", "Foundation", "PolyMessaging", "RunPresentation", "SwiftUI", "UIKit",
        ],
        "Client/TerminalChat": [
            "ChatPresentation", "Clocks", "ConnectCore", "ContactPresentation", "Foundation",
            "FoundationEssentials", "Patterns", "PolyMessaging", "SocketTransport", "Texts",
        ],
        "Client/LoadTest": [
            "ClientSupport", "Clocks", "Foundation", "FoundationEssentials", "HTTPClient", "PolyMessaging",
            "SocketTransport", "Texts",
        ],
    ])

    /// Files that may import something more, each with its reason. Empty is how it should stay.
    static let exceptions: [String: (modules: Set<String>, reason: String)] = [
        "Client/ClientSupport/AppLifecycleMonitor.swift": (
            ["UIKit"], "when an app comes to the front"
        ),
        "Client/ClientSupport/PathNetworkMonitor.swift": (
            ["Dispatch", "Network"], "whether there is a network"
        ),
        "Client/PolyMessaging/Store/KeychainSessionStore.swift": (["Security"], "the keychain"),
    ]

    /// The folder of the table that `path` belongs to; the longest match wins.
    func folder(of path: String) -> String? {
        allowed.keys.filter { path.hasPrefix($0 + "/") }.max { $0.count < $1.count }
    }

    /// One line per import that the table does not allow.
    func violations(path: String, code: SwiftCode, extra: Set<String> = []) -> [String] {
        guard let folder = folder(of: path) else {
            return ["\(path): its folder is not in the import table"]
        }
        // Which of its files name a dialect, `DialectNameTests` says.
        let dialects = folder == "Server/MockServer" ? DialectNames.current.folders : []
        let permitted = (allowed[folder] ?? []).union(extra).union(dialects)
        return code.imports.filter { !permitted.contains($0.module) && $0.module != "Swift" }.map {
            "\(path):\($0.number): \(folder) may not import \($0.module)"
        }
    }
}
