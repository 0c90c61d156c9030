package import ConversationEngine
package import Matching
import Texts

/// Parsed scenario token, such as `mock:booking+tunnel@seed=7@pace=natural` (protocol.md#token-scenario).
///
/// ```text
/// mock:<fixture>[+<fault>…][@seed=<n>][@pace=<name>][@chunks=<word>][@greeting=<on|off>][@tag=<word>]
///     [@now=<time>][@stage=<name>][@memory.<name>=<value>…]
/// ```
///
/// Times, stages, and names and values of memory may be percent-encoded (RFC 3986 §2.1): "@" is `%40`.
package struct ScenarioLine: Equatable, Sendable {
    package static let prefix = "mock:"
    private static let options = ["seed", "pace", "chunks", "greeting", "tag", "now", "stage"]
    private static let memoryPrefix = "memory."

    package var fixture: String
    package var faults: [String]
    package var seed: UInt64?
    package var pace: String?
    /// Chunk size of streamed replies; nil for the server's setting.
    package var chunks: ChunkWish?
    /// Whether the `greeting_message` of a join replaces the fixture's greeting; nil for the fixture's setting.
    package var greeting: Bool?
    /// Label that all sessions of this token share.
    package var tag: String?
    package var now: WallTime?
    /// Initial stage; nil for the fixture's own.
    package var stage: String?
    /// Initial slot values as written in the token.
    package var memory: [String: String] = [:]

    package init(fixture: String, faults: [String] = [], memory: [String: String] = [:]) {
        self.fixture = fixture
        self.faults = faults
        self.memory = memory
    }

    /// Parses a scenario token; nil if `text` is no scenario token.
    ///
    /// - Throws: a sentence that says what is wrong with the token.
    package init?(_ text: String) throws(ScenarioProblem) {
        // Most tokens differ in the first byte: 60 instructions in place of 1,300.
        guard let first = text.utf8.first, first | 0x20 == UInt8(ascii: "m") else { return nil }
        guard text.hasPrefix(Self.prefix) else {
            guard text.prefix(Self.prefix.count).lowercased() == Self.prefix else { return nil }
            throw ScenarioProblem(
                "\"\(MessageFormat.shortened(text))\" must begin with mock: in small letters")
        }
        guard text.utf8.count <= FixtureLimits.scenarioBytes else {
            throw ScenarioProblem("a mock: line has at most \(FixtureLimits.scenarioBytes) bytes")
        }
        var parts = text.dropFirst(Self.prefix.count).split(separator: "@", omittingEmptySubsequences: false)
        let names = parts.removeFirst().split(separator: "+", omittingEmptySubsequences: false).map(
            String.init)
        fixture = names[0]
        faults = Array(names.dropFirst())
        guard !fixture.isEmpty else {
            throw ScenarioProblem(
                "\"\(MessageFormat.shortened(text))\" names no fixture; write mock:booking, for example")
        }
        guard !faults.contains("") else {
            throw ScenarioProblem(
                "\"\(MessageFormat.shortened(text))\" has a \"+\" without the name of a fault")
        }
        var seen: Set<String> = []
        for fault in faults where !seen.insert(fault).inserted {
            throw ScenarioProblem(
                "\"\(MessageFormat.shortened(text))\" asks for the fault \"\(MessageFormat.shortened(fault))\" twice"
            )
        }
        for part in parts { try apply(part) }
    }

    private static func twice(_ option: String) -> ScenarioProblem {
        ScenarioProblem("a mock: line has \"@\(option)\" at most once")
    }

    /// Parses `21:00` or `Monday 21:00`.
    package static func time(_ text: String) throws(ScenarioProblem) -> WallTime {
        if let time = WallTime(text) { return time }
        throw ScenarioProblem(
            "\"\(MessageFormat.shortened(text))\" is no time of day; write 21:00, or Monday 21:00")
    }

    /// Returns `text` percent-encoded. ASCII letters, digits and `-._:` stay unchanged.
    package static func encoded(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: ":"):
                result.append(byte)
            default:
                result.append(UInt8(ascii: "%"))
                result += [byte >> 4, byte & 15].map { $0 + ($0 < 10 ? 0x30 : 0x37) }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func decoded(_ text: String) throws(ScenarioProblem) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(JSON5Escape.hexDigit),
                let low = rest.popFirst().flatMap(JSON5Escape.hexDigit)
            else {
                throw ScenarioProblem(
                    "\"\(MessageFormat.shortened(text))\" has a % without two hexadecimal digits; a % itself is %25"
                )
            }
            bytes.append(UInt8(high << 4 | low))
        }
        guard UTF8Validator.firstBadByte(in: bytes) == nil,
            !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw ScenarioProblem(
                "\"\(MessageFormat.shortened(text))\" is no text: it has control characters in it")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func apply(_ option: Substring) throws(ScenarioProblem) {
        let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard pair.count == 2, !pair[1].isEmpty else {
            throw ScenarioProblem(
                "\"@\(MessageFormat.shortened(String(option)))\" has no value; write @seed=7 or @pace=natural"
            )
        }
        switch pair[0] {
        case "seed":
            guard seed == nil else { throw Self.twice("seed") }
            guard pair[1].utf8.allSatisfy(JSON5Escape.isDigit), let number = UInt64(pair[1]) else {
                throw ScenarioProblem("\"@seed=\(MessageFormat.shortened(pair[1]))\" is not a whole number")
            }
            seed = number
        case "pace":
            guard pace == nil else { throw Self.twice("pace") }
            pace = pair[1]
        case "chunks":
            guard chunks == nil else { throw Self.twice("chunks") }
            guard let wish = ChunkWish(word: pair[1]) else {
                let meant = NearestName.suggestion(for: pair[1], among: ChunkWish.words)
                let hint =
                    meant.map { "did you mean \"\($0)\"?" }
                    ?? "use \(MessageFormat.alternatives(ChunkWish.words))"
                throw ScenarioProblem(
                    "\"@chunks=\(MessageFormat.shortened(pair[1]))\" is no way to cut replies: \(hint)")
            }
            chunks = wish
        case "greeting":
            guard greeting == nil else { throw Self.twice("greeting") }
            guard pair[1] == "on" || pair[1] == "off" else {
                throw ScenarioProblem(
                    "\"@greeting=\(MessageFormat.shortened(pair[1]))\" is neither on nor off")
            }
            greeting = pair[1] == "on"
        case "tag":
            guard tag == nil else { throw Self.twice("tag") }
            tag = pair[1]
        case "now":
            guard now == nil else { throw Self.twice("now") }
            now = try Self.time(try Self.decoded(pair[1]))
        case "stage":
            guard stage == nil else { throw Self.twice("stage") }
            stage = try Self.decoded(pair[1])
        case let name where name.hasPrefix(Self.memoryPrefix):
            let slot = try Self.decoded(String(name.dropFirst(Self.memoryPrefix.count)))
            guard memory.updateValue(try Self.decoded(pair[1]), forKey: slot) == nil else {
                throw Self.twice(MessageFormat.shortened(name))
            }
        default:
            let meant = NearestName.suggestion(for: pair[0], among: Self.options)
            let hint =
                meant.map { "did you mean \"@\($0)\"?" }
                ?? "there are @seed, @pace, @chunks, @greeting, @tag, @now, @stage and @memory.<name>"
            throw ScenarioProblem(
                "a mock: line has no option \"@\(MessageFormat.shortened(pair[0]))\": \(hint)")
        }
    }
}

/// Chunk size of a session's streamed replies.
package enum ChunkWish: Equatable, Sendable {
    /// The fixture's chunk size.
    case pace
    /// One unit per chunk.
    case units(Pace.Unit)

    package static let words = ["pace"] + Pace.Unit.allCases.map(\.rawValue)

    package init?(word: String) {
        if word == "pace" {
            self = .pace
        } else if let unit = Pace.Unit(rawValue: word) {
            self = .units(unit)
        } else {
            return nil
        }
    }

    /// Unit of the chunks; nil for the fixture's chunk size.
    package var unit: Pace.Unit? { if case .units(let unit) = self { unit } else { nil } }
}

/// Error in a scenario or a fault, as one sentence.
package struct ScenarioProblem: Error, Equatable, Sendable, CustomStringConvertible {
    package let sentence: String
    package var description: String { sentence }

    package init(_ sentence: String) { self.sentence = sentence }
}
