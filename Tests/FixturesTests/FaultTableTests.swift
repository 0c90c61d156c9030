import Clocks
import ConversationEngine
import Expectations
import Fixtures
import Testing
import Texts

/// Effects and moments stand in one table; fixtures, control API and pages use its words.
@Suite("The table of faults")
struct FaultTableTests {
    /// One of each kind, with every form of its argument.
    static func samples(of kind: Fault.Effect.Kind) -> [Fault.Effect] {
        switch kind {
        case .drop: [.drop]
        case .stall: [.stall(nil), .stall(.milliseconds(1_500))]
        case .close: [.close(code: 1_012)]
        case .refuse:
            [
                .refuse(status: 503, retryAfter: nil), .refuse(status: 429, retryAfter: .seconds(2)),
                .refuse(status: 429, type: "LimitExceededException", retryAfter: nil),
                .refuse(status: 307, retryAfter: nil, answer: Fault.Answer(location: "/ag-ui/weather")),
                .refuse(
                    status: 200, retryAfter: nil,
                    answer: Fault.Answer(body: "<p>Log in", contentType: "text/html")),
            ]
        case .delay: [.delay(.milliseconds(700)), .delay(.minutes(90))]
        case .lose: [.lose]
        case .repeated: [.repeated]
        case .swap: [.swap]
        case .garble: Fault.Garble.allCases.map { .garble($0) }
        case .split: [.split(3), .split(Fault.Effect.eachByte)]
        case .throttle: [.throttle(500)]
        case .lag: [.lag(.seconds(2))]
        case .expire: [.expire]
        case .agentError: [.agentError(.highLoad)]
        case .handoff: [.handoff(.fails(reason: nil)), .handoff(.timesOut(reason: nil))]
        }
    }

    private static let effects = Fault.Effect.Kind.allCases.map(\.rawValue)
    private static let moments = Set(Fault.Moment.Kind.allCases.map(\.rawValue))

    @Test("An effect is written as it is read", arguments: Fault.Effect.Kind.allCases)
    func effects(_ kind: Fault.Effect.Kind) throws {
        for effect in Self.samples(of: kind) {
            expectEqual(effect.kind, kind)
            let moment: Fault.Moment = kind.target.absence(at: .reply(2)) == nil ? .reply(2) : .handshake(2)
            let fault = Fault(name: "t", moment: moment, effect: effect, times: 3, per: .token, chance: 1)
            var members = FaultWords.members(fault)
            // A number from 0 to 1 is the control API's; fixtures have shares.
            members.removeAll { $0.name == "chance" }
            let read = try FaultReader.read(JSONWriter.bytes(.object(JSONObject(members)))).get()
            expectEqual(read.effect, effect)
            expectEqual(read.moment, moment)
            expectEqual(read.times, 3)
            expectEqual(read.span, .token)
        }
    }

    @Test(
        "An argument that cannot be is refused with what it has to be",
        arguments: [
            ("split: 1", "\"split\" must be a whole number from 2 to 1000, not 1."),
            ("split: 'byte'", "\"split\" cannot be \"byte\". Did you mean \"bytes\"?"),
            ("split: 1001", "\"split\" must be a whole number from 2 to 1000, not 1001."),
            ("throttle: 0", "\"throttle\" must be a whole number from 1 to 10000000, not 0."),
            ("throttle: 10000001", "\"throttle\" must be a whole number from 1 to 10000000, not 10000001."),
            ("expire: 'tokens'", "\"expire\" cannot be \"tokens\". Did you mean \"token\"?"),
            ("lag: '2s', type: 'Late'", "\"type\" goes with \"refuse\" only."),
        ] as [(String, String)])
    func arguments(_ effect: String, _ sentence: String) {
        guard case .failure(let problem) = FaultReader.read(at: "reply 2", do: effect) else {
            Issue.record("\(effect) was read")
            return
        }
        expectEqual(problem.sentence, sentence)
    }

    @Test("A moment is written as it is read, whatever its numbers", arguments: Fault.Moment.Kind.allCases)
    func moments(_ kind: Fault.Moment.Kind) throws {
        let words = kind.rawValue.split(separator: " ").map { word in
            word == "1" ? "12" : word == "CreateSession" ? "Connect" : String(word)
        }.joined(separator: " ")
        let fault = try FaultReader.read(at: words, do: "delay: '1s'").get()
        expectEqual(fault.moment.kind, kind)
        expectEqual("\(fault.moment)", words)
        expectEqual(fault.moment.operation, kind == .request ? "Connect" : "")
        expectEqual(fault.moment.number == 12, words.contains("12"))
        expectEqual(fault.moment.chunk == 12, kind == .replyChunk || kind == .runEvent)
    }

    @Test("A moment covers itself and the next ones, as often as it may, and nothing of another kind")
    func times() {
        for kind in Fault.Moment.Kind.allCases where kind != .anyEvent {
            guard case .success(let fault) = FaultReader.read(at: kind.rawValue, do: "delay: '1s'") else {
                Issue.record("\(kind)")
                continue
            }
            var active = ActiveFault(fault, seed: 1)
            let moments = [kind == .token ? Fault.Moment.session : .token, fault.moment, fault.moment]
            let firings = moments.map { active.fires(at: $0) }
            expectEqual(firings, [false, true, false])
        }
    }

    // MARK: - The pages

    /// Words in quotation marks of some kind, each number made 1.
    private func quoted(_ text: Substring, in mark: Character) -> Set<String> {
        let pieces = text.split(separator: mark, omittingEmptySubsequences: false)
        return Set(
            pieces.indices.filter { $0 % 2 == 1 }.map { index in
                pieces[index].split(separator: " ").map { Int($0) == nil ? String($0) : "1" }
                    .joined(separator: " ")
            })
    }

    @Test("The schema has the effects, the ways to garble and the moments")
    func schema() throws {
        let effect = SchemaTests.members(try SchemaTests.value("definitions/effect/properties")).map(\.name)
        expectEqual(
            effect.filter { !["retryAfter", "type", "body", "contentType", "location"].contains($0) },
            Self.effects)
        guard case .list(let exactlyOne) = try SchemaTests.value("definitions/effect/oneOf").content,
            case .list(let garbles) = try SchemaTests.value("definitions/effect/properties/garble/enum")
                .content,
            case .text(let moments) = try SchemaTests.value("definitions/fault/properties/at/description")
                .content
        else {
            Issue.record("a list is missing")
            return
        }
        expectEqual(
            exactlyOne.map { required -> [String] in
                guard case .list(let names)? = required["required"]?.content else { return [] }
                return names.compactMap { if case .text(let name) = $0.content { name } else { nil } }
            }, Self.effects.map { [$0] })
        expectEqual(
            garbles.map(\.content), (["event"] + Fault.Garble.allCases.map(\.rawValue)).map { .text($0) })
        expectEqual(quoted(moments[...], in: "\""), Self.moments)
    }

    @Test("The guide has the effects, the ways to garble and the moments")
    func guide() throws {
        let text = try Samples.text("fixtures/README.md")
        let start = try #require(text.firstRange(of: "\n## Faults\n")).upperBound
        let section = text[start...].prefix(
            upTo: try #require(text[start...].firstRange(of: "\n## ")).lowerBound)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `{ ") }
        let effects = rows.map { row in String(row.dropFirst(5).prefix { $0 != ":" }) }
        expectEqual(Set(effects), Set(Self.effects))
        expectEqual(effects.count, Self.effects.count)
        for garble in Fault.Garble.allCases {
            #expect(section.contains("`\"\(garble.rawValue)\"`") || garble == .badJSON)
        }
        let sentence = section[try #require(section.firstRange(of: "Moments: ")).upperBound...]
            .prefix { $0 != "." }
        expectEqual(quoted(sentence, in: "`"), Self.moments)
    }

    @Test("The description of the control API has the effects wherever it lists them")
    func controlAPI() throws {
        let text = try Samples.text("Server/Pages/openapi.json")
        let refuse = "refuse (with retryAfter, type, body, contentType and location)"
        let list = Self.effects.map { $0 == "refuse" ? refuse : $0 }
        let said = text.ranges(of: "one of drop, ").map { text[$0.lowerBound...].prefix { $0 != "\"" } }
        expectEqual(said.count, 3)
        for words in said { expectEqual(words, "one of \(list.joined(separator: ", "))") }
    }
}
