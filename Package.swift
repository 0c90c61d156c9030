// swift-tools-version: 6.2
import PackageDescription

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Settings of every Swift target: explicit existentials, explicit imports.
///
/// No warning survives a build with POLYMOCK_STRICT=1, which `.ci/run` sets. Not always: Xcode builds the packages that
/// an app depends on with `-suppress-warnings`, which the compiler refuses together with warnings as errors.
let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (Context.environment["POLYMOCK_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : [])

/// Apple's privacy manifest, the reasons for calls that Apple wants declared, of a target that makes such calls. A resource
/// for Apple systems alone: elsewhere its accessor would link Foundation.
let privacyManifest = "PrivacyInfo.xcprivacy"
#if os(macOS)
    let privacy = (resources: [Resource.copy(privacyManifest)], excluded: [String]())
#else
    let privacy = (resources: [Resource](), excluded: [privacyManifest])
#endif

/// One target of the package. The `uses` lists are the only place that says who may import whom;
/// `Tests/ArchitectureTests` compares them with the `import` lines of each folder.
func module(_ name: String, at path: String, uses: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: uses, path: path, swiftSettings: strict)
}

func tests(_ name: String, uses: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: uses + ["Expectations", "TestSupport"],
        path: "Tests/\(name)Tests",
        exclude: exclude, swiftSettings: strict)
}

/// True when the compiler will find zlib's header. Apple's SDKs have it; on Linux it is a package of its own
/// (Debian: zlib1g-dev), without which everything but `--deflate` works. The environment variable POLYMOCK_DEFLATE
/// (1 or 0) decides instead: for another SDK than this machine's, and after zlib was installed, since what this file
/// says is remembered until it or the environment changes.
let hasZlib: Bool = {
    switch Context.environment["POLYMOCK_DEFLATE"] {
    case "1"?: return true
    case "0"?: return false
    default: break
    }
    #if os(macOS)
        return true
    #else
        return ["/usr/include/zlib.h", "/usr/local/include/zlib.h"].contains { (path: String) in
            access(path, R_OK) == 0
        }
    #endif
}()

/// With POLYMOCK_KQUEUE=1 sockets on Linux are watched as on Apple systems, through calls that Tests/CKqueue makes of
/// epoll's; `.ci/apple` runs the tests of sockets so.
let watchesByKqueue = Context.environment["POLYMOCK_KQUEUE"] == "1"
let kqueue = Target.target(name: "CKqueue", path: "Tests/CKqueue")

let package = Package(
    name: "polymock",
    platforms: [.macOS(.v13), .iOS(.v15)],
    products: [
        .executable(name: "polymock", targets: ["CLI"]),
        .library(name: "MockServer", targets: ["MockServer"]),
        .library(name: "PolyMessaging", targets: ["PolyMessaging"]),
        .library(name: "ConnectChat", targets: ["ConnectChat"]),
        .library(name: "ChatPresentation", targets: ["ChatPresentation"]),
        .library(name: "ContactPresentation", targets: ["ContactPresentation"]),
        .library(name: "RunPresentation", targets: ["RunPresentation"]),
        .library(name: "ChatViews", targets: ["ChatViews"]),
        .library(name: "AgentRuns", targets: ["AgentRuns"]),
        .library(name: "AssistantEvents", targets: ["AssistantEvents"]),
        .library(name: "PolyMockTesting", targets: ["PolyMockTesting"]),
    ],
    targets: [
        // Shared: knows neither server nor client.
        module("Clocks", at: "Shared/Clocks"),
        .systemLibrary(name: "CSHA256", path: "Shared/CSHA256"),
        module("Texts", at: "Shared/Texts", uses: ["CSHA256"]),
        module("Patterns", at: "Shared/Patterns"),
        module("MessagingWire", at: "Shared/MessagingWire", uses: ["Texts"]),
        module("RunWire", at: "Shared/RunWire", uses: ["Texts"]),
        module("HTTPCore", at: "Shared/HTTPCore"),
        module("WebSocketCore", at: "Shared/WebSocketCore", uses: ["HTTPCore", "Texts"]),
        .systemLibrary(name: "CEpoll", path: "Shared/CEpoll"),
        // Without zlib it says so and does nothing.
        .target(
            name: "Deflate", dependencies: hasZlib ? ["CZlib", "WebSocketCore"] : ["WebSocketCore"],
            path: "Shared/Deflate", swiftSettings: strict + (hasZlib ? [.define("DEFLATE")] : [])),
        .target(
            name: "SocketTransport",
            dependencies: ["Clocks", .target(name: "CEpoll", condition: .when(platforms: [.linux]))],
            path: "Shared/SocketTransport", exclude: privacy.excluded, resources: privacy.resources,
            swiftSettings: strict),
        module(
            "HTTPClient", at: "Shared/HTTPClient",
            uses: ["Clocks", "HTTPCore", "SocketTransport", "WebSocketCore"]),

        // Server: decisions are pure, shells are thin.
        module("Matching", at: "Server/Matching", uses: ["Clocks", "Patterns", "Texts"]),
        module(
            "ConversationEngine", at: "Server/ConversationEngine", uses: ["Clocks", "Matching", "Patterns"]),
        module(
            "Fixtures", at: "Server/Fixtures",
            uses: [
                "Clocks", "ConversationEngine", "EmbeddedFixtures", "Matching", "Patterns", "RunWire",
                "Texts",
            ]),
        module(
            "DialectKit", at: "Server/Dialects/DialectKit",
            uses: ["Clocks", "ConversationEngine", "HTTPCore", "Texts", "Timeline"]),
        module(
            "PolyDialect", at: "Server/Dialects/PolyDialect",
            uses: [
                "Clocks", "ConversationEngine", "DialectKit", "HTTPCore", "MessagingWire", "Texts",
                "Timeline",
            ]),
        module(
            "ConnectDialect", at: "Server/Dialects/ConnectDialect",
            uses: ["Clocks", "ConversationEngine", "DialectKit", "HTTPCore", "Texts", "Timeline"]),
        module(
            "AGUIDialect", at: "Server/Dialects/AGUIDialect",
            uses: [
                "Clocks", "ConversationEngine", "DialectKit", "EmbeddedFixtures", "HTTPCore",
                "Matching", "RunWire", "Texts", "Timeline",
            ]),
        module("Timeline", at: "Server/Timeline", uses: ["Clocks", "Patterns", "Texts"]),
        // What the server decides about connections and requests, without sockets.
        module(
            "ServerCore", at: "Server/ServerCore",
            uses: [
                "Clocks", "ConversationEngine", "DialectKit", "HTTPCore", "Matching", "Timeline",
                "WebSocketCore",
            ]),
        // Data inside the binary, by `#embed` of C23.
        .target(name: "EmbeddedFixtures", path: "Server/EmbeddedFixtures"),
        .target(name: "Pages", path: "Server/Pages", exclude: ["openapi.json", "start.html", "web"]),
        module(
            "MockServer", at: "Server/MockServer",
            uses: [
                "AGUIDialect", "Clocks", "ConnectDialect", "ConversationEngine", "Deflate", "DialectKit",
                "Fixtures", "HTTPCore", "Matching", "Pages", "PolyDialect",
                "ServerCore",
                "SocketTransport", "Texts", "Timeline", "WebSocketCore",
            ]),
        // What the verbs of the program do with fixtures, without a server; and its terminal.
        module(
            "FixtureTools", at: "Server/FixtureTools",
            uses: [
                "Clocks", "ConversationEngine", "Fixtures", "Matching", "PolyDialect", "SocketTransport",
                "Texts",
            ]),
        // Server and SDK on one clock: what tests and the tool's own rehearsals are made of.
        module(
            "MockKit", at: "Server/MockKit",
            uses: [
                "AgentRuns", "ClientSupport", "Clocks", "ConnectCore", "ConversationEngine", "DialectKit",
                "FixtureTools", "Fixtures", "HTTPClient", "HTTPCore", "Matching", "MockServer", "Patterns",
                "PolyMessaging", "SocketTransport", "Texts", "Timeline", "WebSocketCore",
            ]),
        // MockServer's settings are values here: their layout has to be known.
        module("PolyMockTesting", at: "Server/PolyMockTesting", uses: ["MockKit", "MockServer"]),
        // Speaks to a running server from outside of its process.
        module(
            "ControlClient", at: "Server/ControlClient",
            uses: ["Clocks", "HTTPClient", "HTTPCore", "SocketTransport", "Texts", "WebSocketCore"]),
        .executableTarget(
            name: "CLI",
            dependencies: [
                "Clocks", "ControlClient", "FixtureTools", "Fixtures", "LoadTest", "MockKit", "MockServer",
                "SocketTransport", "TerminalChat", "Texts", "Timeline",
            ], path: "Server/CLI", swiftSettings: strict),

        // Client. What both SDKs stand on, first.
        module(
            "ClientSupport", at: "Client/ClientSupport",
            uses: ["Clocks", "HTTPClient", "HTTPCore", "SocketTransport", "WebSocketCore"]),
        .target(
            name: "PolyMessaging",
            dependencies: [
                "ClientSupport", "Clocks", "HTTPClient", "HTTPCore", "MessagingWire", "SocketTransport",
                "Texts",
                "WebSocketCore",
            ],
            path: "Client/PolyMessaging", exclude: ["Docs"] + privacy.excluded, resources: privacy.resources,
            swiftSettings: strict),
        // The client for Amazon Connect chat, without Foundation; and what of the published names needs that.
        module(
            "ConnectCore", at: "Client/ConnectCore",
            uses: [
                "ClientSupport", "Clocks", "HTTPClient", "HTTPCore", "SocketTransport", "Texts",
                "WebSocketCore",
            ]),
        module(
            "ConnectChat", at: "Client/ConnectChat", uses: ["Clocks", "ConnectCore", "HTTPCore", "Texts"]),
        // Runs of agents over AG-UI; the second module has the names of the guide to AI agents of CometChat.
        module(
            "AgentRuns", at: "Client/AgentRuns",
            uses: ["ClientSupport", "Clocks", "HTTPClient", "HTTPCore", "RunWire", "Texts"]),
        module("AssistantEvents", at: "Client/AssistantEvents", uses: ["AgentRuns", "Clocks", "Texts"]),
        module(
            "ChatPresentation", at: "Client/ChatPresentation", uses: ["Clocks", "PolyMessaging", "Texts"]),
        // The same screens for contacts of Amazon Connect chat.
        module(
            "ContactPresentation", at: "Client/ContactPresentation",
            uses: ["ChatPresentation", "ConnectCore", "Texts"]),
        // Chat screens for threads of AG-UI runs.
        module(
            "RunPresentation", at: "Client/RunPresentation",
            uses: ["AgentRuns", "ChatPresentation", "Clocks", "RunWire", "Texts"]),
        // Screens of SwiftUI and UIKit over it; elsewhere nothing.
        module(
            "ChatViews", at: "Client/ChatViews", uses: ["ChatPresentation", "ClientSupport", "PolyMessaging"]),
        module(
            "TerminalChat", at: "Client/TerminalChat",
            uses: [
                "ChatPresentation", "Clocks", "ConnectCore", "ContactPresentation", "Patterns",
                "PolyMessaging", "SocketTransport", "Texts",
            ]),
        module(
            "LoadTest", at: "Client/LoadTest",
            uses: [
                "ClientSupport", "Clocks", "HTTPClient", "PolyMessaging", "SocketTransport", "Texts",
            ]),

        // Tests.
        module("Expectations", at: "Tests/Expectations"),
        module(
            "TestSupport", at: "Tests/TestSupport",
            uses: [
                "Clocks", "Deflate", "HTTPCore", "MessagingWire", "SocketTransport", "Texts", "WebSocketCore",
            ]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "AgentRuns", "ChatPresentation", "Clocks", "ConnectCore", "ConversationEngine", "DialectKit",
                "Fixtures", "MessagingWire", "MockServer", "PolyDialect", "PolyMessaging",
                "RunWire", "SocketTransport", "TestSupport", "Timeline",
            ], path: "Tests/Benchmarks", swiftSettings: strict),
        // Every parser with what must hold for any input; the executable and the tests feed it.
        module(
            "FuzzTargets", at: "Tests/FuzzTargets",
            uses: [
                "AGUIDialect", "ChatPresentation", "Clocks", "ConnectDialect", "ConversationEngine",
                "DialectKit", "Fixtures", "HTTPCore", "Matching", "MessagingWire", "MockKit",
                "Patterns", "PolyDialect", "PolyMessaging", "RunWire", "ServerCore", "Texts", "Timeline",
                "WebSocketCore",
            ]),
        .executableTarget(
            name: "Fuzzing", dependencies: ["Clocks", "FuzzTargets", "SocketTransport", "TestSupport"],
            path: "Tests/Fuzzing", exclude: ["libfuzzer.sh"], swiftSettings: strict),
        // Lets a conformance rig drive the SDK's own WebSocket transport.
        .executableTarget(
            name: "ClientRig",
            dependencies: [
                "ClientSupport", "Clocks", "HTTPClient", "PolyMessaging", "SocketTransport", "Texts",
                "WebSocketCore",
            ],
            path: "Tests/ClientRig", swiftSettings: strict),
        tests("Clocks", uses: ["Clocks"]),
        tests("Texts", uses: ["Texts"]),
        tests("Patterns", uses: ["Patterns"]),
        tests("MessagingWire", uses: ["MessagingWire", "Texts"]),
        tests("RunWire", uses: ["RunWire", "Texts"]),
        tests("HTTPCore", uses: ["HTTPCore"]),
        tests("WebSocketCore", uses: ["HTTPCore", "Texts", "WebSocketCore"]),
        tests("Deflate", uses: ["Deflate", "WebSocketCore"]),
        tests("SocketTransport", uses: ["Clocks", "SocketTransport"]),
        tests(
            "HTTPClient",
            uses: ["Clocks", "HTTPClient", "HTTPCore", "SocketTransport", "Texts", "WebSocketCore"]),
        tests("Matching", uses: ["Clocks", "Matching", "Patterns"]),
        tests("ConversationEngine", uses: ["Clocks", "ConversationEngine", "Matching"]),
        tests(
            "Fixtures", uses: ["Clocks", "ConversationEngine", "Fixtures", "Matching", "Patterns", "Texts"]),
        tests(
            "PolyDialect",
            uses: [
                "Clocks", "ConversationEngine", "DialectKit", "HTTPCore", "MessagingWire", "PolyDialect",
                "Texts",
            ]),
        tests(
            "AGUIDialect",
            uses: [
                "AGUIDialect", "Clocks", "ConversationEngine", "DialectKit", "Fixtures", "HTTPCore",
                "RunWire", "Texts", "Timeline",
            ]),
        tests(
            "MockServer",
            uses: [
                "Clocks", "ConversationEngine", "Deflate", "DialectKit", "Fixtures", "HTTPCore",
                "Matching", "MockServer", "ServerCore", "SocketTransport", "Texts", "Timeline",
                "WebSocketCore",
            ]),
        tests(
            "ControlClient",
            uses: [
                "Clocks", "ControlClient", "HTTPClient", "HTTPCore", "SocketTransport", "Texts",
                "WebSocketCore",
            ]),
        tests(
            "CLI",
            uses: [
                "CLI", "Clocks", "ControlClient", "FixtureTools", "LoadTest", "MockKit", "MockServer",
                "TerminalChat", "Texts", "Timeline",
            ]),
        tests("Timeline", uses: ["Clocks", "PolyDialect", "Texts", "Timeline"]),
        tests(
            "ServerCore",
            uses: [
                "Clocks", "ConversationEngine", "DialectKit", "HTTPCore", "Matching", "ServerCore",
                "Timeline",
                "WebSocketCore",
            ]),
        tests(
            "MockKit",
            uses: [
                "ClientSupport", "Clocks", "ConversationEngine", "DialectKit", "FixtureTools", "Fixtures",
                "HTTPClient", "Matching", "MockKit", "MockServer", "PolyMessaging", "Texts", "Timeline",
                "WebSocketCore",
            ]),
        tests(
            "ConnectDialect",
            uses: [
                "Clocks", "ConnectDialect", "ConversationEngine", "DialectKit", "Fixtures", "HTTPCore",
                "MockServer", "Texts", "WebSocketCore",
            ]),
        tests(
            "PolyMockTesting",
            uses: ["AgentRuns", "ConnectChat", "MockServer", "PolyMessaging", "PolyMockTesting"]),
        tests(
            "Architecture", uses: ["ConversationEngine", "DialectKit", "MessagingWire", "PolyDialect"]),
        tests(
            "PolyMessaging",
            uses: [
                "ClientSupport", "Clocks", "HTTPClient", "HTTPCore", "MessagingWire", "PolyMessaging",
                "SocketTransport", "Texts", "WebSocketCore",
            ], exclude: ["CHECKS.md"]),
        tests(
            "ConnectChat",
            uses: [
                "ClientSupport", "Clocks", "ConnectChat", "ConnectCore", "HTTPClient", "HTTPCore",
                "SocketTransport",
                "Texts", "WebSocketCore",
            ]),
        tests(
            "AgentRuns",
            uses: [
                "AgentRuns", "ClientSupport", "Clocks", "HTTPClient", "HTTPCore", "RunWire", "Texts",
                "WebSocketCore",
            ]),
        tests(
            "AssistantEvents",
            uses: ["AgentRuns", "AssistantEvents", "Clocks", "MockKit", "RunWire", "Texts"]),
        tests("ChatPresentation", uses: ["ChatPresentation", "Clocks", "PolyMessaging", "Texts"]),
        tests(
            "ContactPresentation",
            uses: [
                "ChatPresentation", "Clocks", "ConnectCore", "ContactPresentation", "MockKit", "MockServer",
                "PolyMessaging", "Texts",
            ]),
        tests(
            "RunPresentation",
            uses: ["AgentRuns", "ChatPresentation", "Clocks", "MockKit", "RunPresentation", "RunWire"]),
        tests(
            "Snippet",
            uses: ["AgentRuns", "AssistantEvents", "ConnectChat", "MockServer", "PolyMessaging"]),
        tests("Fuzzing", uses: ["FuzzTargets", "SocketTransport"]),
        tests(
            "TerminalChat",
            uses: [
                "ChatPresentation", "ClientSupport", "Clocks", "ConnectCore", "HTTPClient", "MockServer",
                "PolyMessaging", "TerminalChat", "Texts",
            ]),
        tests(
            "LoadTest",
            uses: [
                "Clocks", "ConversationEngine", "HTTPClient", "LoadTest", "MockServer", "PolyMessaging",
                "SocketTransport", "Texts",
            ]),
        tests(
            "EndToEnd",
            uses: [
                "ClientSupport", "Clocks", "ConnectCore", "ConversationEngine", "Fixtures", "HTTPClient",
                "MockKit", "MockServer", "PolyMessaging", "SocketTransport",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)

if watchesByKqueue, let sockets = package.targets.first(where: { $0.name == "SocketTransport" }) {
    package.targets.append(kqueue)
    sockets.dependencies.append("CKqueue")
    sockets.swiftSettings?.append(.define("KQUEUE"))
    // All test targets make one program: without the others it is built in a minute.
    var needed: Set = ["SocketTransportTests"]
    for target in package.targets.reversed() where needed.contains(target.name) {
        for dependency in target.dependencies {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): needed.insert(name)
            default: break
            }
        }
    }
    package.products = []
    package.targets.removeAll { !needed.contains($0.name) }
}
if hasZlib { package.targets.append(.systemLibrary(name: "CZlib", path: "Shared/CZlib")) }
