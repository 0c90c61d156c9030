import Expectations
import Testing

/// Two servers of one process share nothing but the process, but for what is listed here.
@Suite("Shared state")
struct SharedStateTests {
    /// State of a process or a task, as `file name`, each with its reason.
    private static let statics: [String: String] = [
        "Server/MockServer/Loop/BusyPollSlot.swift isTaken":
            "one busy loop of a process lingers at a time (decision record 0008); it changes when, never what",
        "Server/MockServer/FixtureStore/FixtureStore.swift compiled":
            "scripts of the fixtures inside the binary, which never change: each is compiled once",
        "Shared/SocketTransport/System/ProcessMemory.swift watch":
            "memory is given back to the system for the process as a whole",
        "Server/MockKit/RuleLedger.swift shared":
            "which rules any mock of the process exercised; only the report at its end reads it",
        "Server/MockKit/Mock.swift bound": "the mock of the test that runs in this task",
        "Client/PolyMessaging/Public/PolyMessaging.swift stored":
            "`PolyMessaging.initialize` of the published SDK sets it for the app",
        "Client/PolyMessaging/Public/PolyMessaging+Chat.swift injectedLogger":
            "the same for the logger",
        "Client/PolyMessaging/Public/PolyMessaging.swift taskConfiguration":
            "takes the place of `stored` for one task, so that tests run side by side",
        "Client/PolyMessaging/Public/PolyMessaging+Chat.swift taskDependencies":
            "the same for network and store",
        "Client/ConnectCore/Platform/TransferScope.swift current":
            "the transfer that a task waits for, for that task alone",
        "Client/PolyMessaging/Platform/MemorySettings.swift shared":
            "settings of an app that has no storage of its own",
        "Client/ClientSupport/PathNetworkMonitor.swift shared": "the one network of the device",
        "Client/ClientSupport/ProcessNetwork.swift shared":
            "one loop carries the sockets of all chats",
        "Client/ConnectChat/ChatSessionProtocol.swift shared": "an app's chat, as in the published SDK",
        "Client/ConnectChat/AWSClient.swift shared": "the same for its client",
        "Client/ConnectCore/Public/SDKLogger.swift state": "the same for its logger",
        "Client/AgentRuns/Running/AgentNetwork.swift shared": "the same for all agents",
        "Client/AssistantEvents/CometChat.swift listeners": "the guide's calls to listen belong to no object",
        "Client/ClientSupport/URLSessionTransport.swift shared": "the same over URLSession",
    ]

    /// Locks in the server, up to its library, each with its reason. All else belongs to the loop.
    private static let locks: [String: String] = [
        "Server/MockServer/FixtureStore/FixtureStore.swift": "the scripts of the process named above",
        "Server/MockServer/GracefulStop.swift": "ends a wait once, by the loop or by a timer of real time",
        "Server/MockServer/Loop/BusyPollSlot.swift": "the flag of the process named above",
        "Server/MockServer/Server/WorkLane.swift":
            "carries long work between the loop and the queue where it is done: the wish for it, and its result",
        "Server/MockServer/Loop/SlowTurnMonitor.swift":
            "a timer looks at it from another thread, in debug builds",
    ]

    private static let server = [
        "Server/ConversationEngine", "Server/Dialects", "Server/Fixtures",
        "Server/Matching", "Server/MockServer", "Server/ServerCore", "Server/Timeline",
    ]

    private let repository = Repository.current

    @Test("Nothing lives as long as the process but what the list says")
    func statics() {
        let found = repository.swift(in: "Client", "Server", "Shared").flatMap { file in
            Self.names(file.code).map { "\(file.path) \($0)" }
        }
        expectEqual(found.filter { Self.statics[$0] == nil }, [])
        expectEqual(Self.statics.keys.filter { !found.contains($0) }.sorted(), [])
    }

    @Test("Server state has no lock around it: one loop owns it")
    func locks() {
        let files = Self.server.flatMap { repository.swift(in: $0) }
        let found = files.filter { !$0.code.occurrences(of: "Locked").isEmpty }.map(\.path)
        expectEqual(Set(found), Set(Self.locks.keys))
    }

    @Test("No pure module draws a random number of its own")
    func chance() {
        let words = ["random", "SystemRandomNumberGenerator"]
        for file in PureModules.folders.flatMap({ repository.swift(in: $0) }) {
            for word in words { expectEqual(file.code.occurrences(of: word), [], "\(file.path): \(word)") }
        }
    }

    @Test("No pure module may import what touches the system")
    func imports() throws {
        let system: Set = ["Dispatch", "Foundation", "Network", "SocketTransport"]
        for folder in PureModules.folders {
            let row = try #require(ImportTable.current.folder(of: folder + "/"), "\(folder)")
            let allowed = try #require(ImportTable.current.allowed[row])
            #expect(allowed.isDisjoint(with: system), "\(folder)")
            // The lock is one of the system's.
            if folder != "Shared/Clocks" { #expect(allowed.isDisjoint(with: ImportTable.libc), "\(folder)") }
        }
    }

    @Test("State of a process is found in its forms, constants are passed over")
    func reading() {
        let source = """
            private static let a = Locked(0)
            package static let b: Locked<Int> = make()
            public static let shared = Thing()
            @TaskLocal static var c: Int?
            static var d = 0
            static let e = 5
            static var f: Int { 5 }
            """
        expectEqual(Self.names(SwiftCode(source)), ["a", "b", "shared", "c", "d"])
    }

    /// Names of static members that can change, or stand for something that can.
    private static func names(_ code: SwiftCode) -> [String] {
        let form = /\bstatic (let|var) (\w+)(.*)/
        return code.lines(with: "static").compactMap { line in
            let text = line.text
            guard let match = text.firstMatch(of: form) else { return nil }
            let isHeld = match.3.contains("Locked<") || match.3.contains("Locked(") || match.2 == "shared"
            let isVariable = match.1 == "var" && match.3.contains("=") && !match.3.contains("{")
            return isHeld || isVariable || text.contains("@TaskLocal") ? String(match.2) : nil
        }
    }
}

/// The modules that decide and touch nothing: time is an argument, chance a seed.
enum PureModules {
    static let folders =
        [
            "Server/ConversationEngine", "Server/Dialects/DialectKit", "Server/Fixtures", "Server/Matching",
            "Server/ServerCore", "Server/Timeline",
            "Shared/Clocks", "Shared/HTTPCore", "Shared/MessagingWire", "Shared/Patterns",
            "Shared/RunWire", "Shared/Texts",
            "Shared/WebSocketCore",
        ] + DialectNames.current.folders.sorted().map { "Server/Dialects/" + $0 }
}
