import Expectations
import MessagingWire
import Testing

/// What one protocol calls its events is known to that protocol: a second one must find no word of it elsewhere.
@Suite("Words of one protocol")
struct WireWordTests {
    /// Who may write the words of the Messaging API.
    private static let owners = ["Server/Dialects/PolyDialect", "Shared/MessagingWire"]

    /// Where nothing may ever be excepted.
    private static let strictFolders = [
        "Server/ConversationEngine", "Server/Dialects/DialectKit", "Server/MockServer", "Server/ServerCore",
        "Server/Timeline",
    ]

    /// Files that have such words all the same, each with its reason. It only gets shorter.
    private static let allowed = [
        "Server/CLI/Control/OperatorSession.swift": "reads journals of that protocol",
        "Server/CLI/Control/OperatorShell.swift": "shows that the visitor types, from rows of that protocol",
        "Server/CLI/Control/ControlVerb+Sessions.swift":
            "an example of `push --raw`, which takes a wire type",
        "Server/CLI/Control/ControlVerb+Wire.swift": "examples of filters",
        "Server/CLI/Control/EventText.swift": "puts journals of that protocol into words for people",
        "Server/CLI/Help+Filters.swift": "an example of a filter",
        "Server/CLI/Help+Load.swift": "says between which events `load` measures",
        "Server/Dialects/ConnectDialect/Contact.swift":
            "a display name of that protocol is spelt like a type of this one",
    ]

    private static let wire = WireWords(Repository.current.swift(in: "Shared/MessagingWire"))
    private let files = Repository.current.swift(in: "Server", "Shared").filter { file in
        !owners.contains { file.isIn($0) }
    }

    @Test("Only the files of the list have words of the wire, and each of them still has one")
    func words() {
        let found = files.filter { !Self.wire.lines($0.bytes).isEmpty }.map(\.path)
        expectEqual(found.filter { Self.allowed[$0] == nil }, [])
        expectEqual(Self.allowed.keys.filter { !found.contains($0) }.sorted(), [])
    }

    @Test("Engine, contract, timeline and server have none, and never will")
    func strict() {
        for folder in Self.strictFolders {
            #expect(!Repository.current.swift(in: folder).isEmpty)
            expectEqual(Self.allowed.keys.filter { $0.hasPrefix(folder + "/") }.sorted(), [])
        }
    }

    @Test("Words are found in code and texts, not in comments nor inside of longer words")
    func reading() {
        let source = """
            /// USER_MESSAGE
            let a = "USER_MESSAGE"
            let b = "EVENT_TYPE_NEW"
            let c = "MY_USER_MESSAGE"
            let d = EventType.heartbeat
            let e = EventTypes.heartbeat
            let f: WireMessage
            """
        expectEqual(Self.wire.lines(ByteText(source)), [2, 3, 5, 7])
    }
}

/// The names of events on the wire and of the types that stand for them, wherever they are but in comments.
private struct WireWords {
    private let names: [String]

    /// - Parameter files: those that declare the types.
    init(_ files: [Repository.File]) {
        let types = files.flatMap { file in
            file.text.matches(of: /(?:^|\n)package (?:struct|enum) (\w+)/).map { String($0.1) }
        }
        let events = EventType.allCases.map { String($0.rawValue.dropFirst(EventType.prefix.count)) }
        names = types + events
    }

    /// Numbers of the lines that have one.
    func lines(_ text: ByteText) -> [Int] {
        let places = names.flatMap { text.words($0) } + text.words(EventType.prefix, endsAnywhere: true)
        return text.lines(at: places).filter { line in
            !line.bytes.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8)
        }.map(\.number)
    }
}
