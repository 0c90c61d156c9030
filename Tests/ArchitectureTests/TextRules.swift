/// Rules about whole files, whatever their language.
enum TextRules {
    /// Paths of one machine. Spelled in halves, so that this file passes its own rule.
    static let machinePaths = ["/wor" + "k/", "/tmp/" + "wt", "/ro" + "ot/", "/Use" + "rs/"]

    /// A path that goes on to the left is another one, such as `~/x` or `frame/x`.
    private static let pathParts = Set("-_.}~*)".utf8)

    /// Lines that name a path of somebody's machine.
    static func machinePathLines(_ text: ByteText) -> [Int] {
        let places = machinePaths.flatMap { path in
            text.words(path).filter { start in
                guard start > 0 else { return true }
                let before = text.bytes[start - 1]
                return !Line.isWordPart(before) && !pathParts.contains(before)
            }
        }
        return text.lines(at: places).map(\.number)
    }

    /// A longer Swift file is a stop, not a smell.
    static func maxLines(_ path: String) -> Int { path.hasPrefix("Tests/") ? 600 : 500 }

    /// Files that may name ports, with the reason.
    static let portsAsValues = [
        "Tests/MockServerTests/ForeignPageTests.swift":
            "claims origins in header fields; its server takes a free port",
        "Tests/interop/hostile/connect_cases.py":
            "gives clients addresses that they must not use, and opens nothing there",
        "Tests/interop/chat/checks.py": "dials port 1, where nobody listens, and opens nothing on it",
        "Tests/interop/shards/haproxy.cfg": "is what operators copy; shards.sh puts free ports in",
        "Tests/interop/shards/nginx.conf": "is what operators copy; shards.sh puts free ports in",
        "Tests/HTTPClientTests/ExchangeTests.swift": "feeds exchanges by hand, opens nothing",
        "Tests/PolyMessagingTests/Shell/PlainRequestTests.swift": "makes requests, sends none",
        "Tests/CLITests/InvocationTests.swift": "reads command lines, opens nothing",
        "Tests/CLITests/LoadVerbTests.swift": "reads command lines, opens nothing",
        "Tests/TerminalChatTests/OptionTests.swift": "reads command lines, opens nothing",
        "Tests/MockServerTests/ConfigurationFileTests.swift": "reads settings, opens nothing",
        "Tests/SnippetTests/ConnectSnippets.swift": "says what the page says; its server takes a free port",
        "Tests/SnippetTests/DocComments+Connect.swift": "compiles what doc comments say, runs nothing",
        "Tests/SnippetTests/DocComments+Runs.swift": "compiles what doc comments say, runs nothing",
        "Tests/SnippetTests/DocComments.swift": "compiles what doc comments say, runs nothing",
        "Tests/SnippetTests/DocSnippets+Readme.swift": "compiles what the README says, runs nothing",
        "Tests/SnippetTests/DocSnippets.swift": "compiles what the pages say, runs nothing",
        "Tests/SocketTransportTests/SocketValuesTests.swift": "reads and writes addresses, opens nothing",
        "Tests/SocketTransportTests/SystemTests.swift": "resolves names, opens nothing",
    ]

    /// Fixed ports, in code that opens sockets: `port: 80`, `--port 80`, `127.0.0.1:80`. Port 0 is free.
    static func fixedPortLines(_ text: ByteText) -> [Int] {
        let marks = ["port: ", "port = ", "port=", "--port ", "--port\", \"", "127.0.0.1:", "localhost:"]
        let digits = UInt8(ascii: "1")...UInt8(ascii: "9")
        let places = marks.flatMap { mark in
            text.words(mark, endsAnywhere: true).filter { start in
                let end = start + mark.utf8.count
                return end < text.bytes.count && digits.contains(text.bytes[end])
            }
        }
        return text.lines(at: places).map(\.number)
    }

    /// What a decision record lacks (style: context, options, choice, price, when to revisit).
    static func missingSections(_ record: String) -> [String] {
        let headings = record.split(separator: "\n").filter { $0.hasPrefix("#") }.map { $0.lowercased() }
        return ["context", "options", "choice", "price", "revisit"].filter { section in
            !headings.contains { $0.contains(section) }
        }
    }

    /// Numbers of the lines with a `default` of a switch over a fault's effect or moment.
    static func faultDefaults(_ lines: [String], besides more: [String] = []) -> [Int] {
        let subjects = ["fault.", "firing.", "moment", "Fault."] + more
        var open: [(indent: Int, isFault: Bool)] = []
        var found: [Int] = []
        for (index, line) in lines.enumerated() {
            let code = line.drop { $0 == " " }
            let indent = line.count - code.count
            if code.hasPrefix("switch ") || code.contains(" switch ") {
                let subject = code[(code.firstRange(of: "switch ")?.upperBound ?? code.startIndex)...]
                open.append((indent, subjects.contains { subject.contains($0) }))
            } else if code.hasPrefix("}"), let last = open.last, last.indent >= indent {
                open.removeLast()
            } else if code.hasPrefix("default:"), open.last?.isFault == true, open.last?.indent == indent {
                found.append(index + 1)
            }
        }
        return found
    }
}
