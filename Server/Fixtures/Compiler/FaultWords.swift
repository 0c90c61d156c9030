package import ConversationEngine
package import Texts

/// Writer and reader of faults in the notation of fixtures.
package enum FaultWords {
    /// Returns the JSON members `{name, at, do, times, per, chance}`.
    package static func members(_ fault: Fault) -> [JSONObject.Member] {
        [
            .init("name", .string(fault.name)), .init("at", .string("\(fault.moment)")),
            .init("do", effect(fault.effect)), .init("times", .integer(Int64(fault.times ?? 1))),
            .init("per", .string(fault.span.rawValue)),
            .init("chance", fault.chance == 1 ? .integer(1) : .double(fault.chance)),
        ]
    }

    private static func effect(_ effect: Fault.Effect) -> JSONValue {
        var members = [JSONObject.Member(effect.kind.rawValue, argument(of: effect))]
        if case .refuse(_, let type, let wait, let answer) = effect {
            if let type { members.append(.init("type", .string(type))) }
            if let body = answer?.body { members.append(.init("body", .string(body))) }
            if let type = answer?.contentType { members.append(.init("contentType", .string(type))) }
            if let location = answer?.location { members.append(.init("location", .string(location))) }
            if let wait { members.append(.init("retryAfter", .string(ValueSyntax.text(wait)))) }
        }
        return .object(JSONObject(members))
    }

    private static func argument(of effect: Fault.Effect) -> JSONValue {
        switch effect {
        case .drop: .string("connection")
        case .stall(let time): .string(time.map(ValueSyntax.text) ?? "forever")
        case .close(let code): .integer(Int64(code))
        case .refuse(let status, _, _, _): .integer(Int64(status))
        case .delay(let time), .lag(let time): .string(ValueSyntax.text(time))
        case .lose, .repeated, .swap: .string("event")
        case .garble(let kind): .string(kind.rawValue)
        case .split(Fault.Effect.eachByte): .string("bytes")
        case .split(let count), .throttle(let count): .integer(Int64(count))
        case .expire: .string("token")
        case .agentError(let problem): .string(problem.rawValue)
        case .handoff(.fails): .string("fails")
        case .handoff(.timesOut): .string("times out")
        case .handoff(.joins): .string("joins")
        }
    }
}

extension FixtureCompiler {
    private static let besideRefuse = Key.besideRefuse.map(\.name)

    mutating func effect(_ value: JSON5Value) -> Fault.Effect? {
        guard let block = block(value, .effect) else { return nil }
        let found = block.members.filter { !Self.besideRefuse.contains($0.name) }
        guard found.count == 1, let member = found.first,
            let kind = Fault.Effect.Kind(rawValue: member.name)
        else {
            if case .object(let all) = value.content, all.count != block.members.count { return nil }
            let has = found.isEmpty ? "nothing" : found.map(\.name).joined(separator: ", ")
            report(.oneVerb, at: value, "A fault does exactly one thing; this one has \(has).")
            return nil
        }
        for name in Self.besideRefuse where kind != .refuse {
            if let odd = block[name] {
                report(.wrongType, at: odd, "\"\(name)\" goes with \"refuse\" only.")
            }
        }
        return effect(kind, member.value, in: block)
    }

    private mutating func effect(
        _ kind: Fault.Effect.Kind, _ value: JSON5Value, in block: Block
    ) -> Fault.Effect? {
        let name = kind.rawValue
        switch kind {
        case .drop: return word(value, name, among: ["connection"]).map { _ in .drop }
        case .stall:
            if value.content == .text("forever") { return .stall(nil) }
            return interval(value, name).map { .stall($0) }
        case .close: return closeCode(value).map { .close(code: $0) }
        case .refuse:
            let wait = block["retryAfter"].flatMap { interval($0, "retryAfter") }
            let type = block["type"].flatMap { filledText($0, "type") }
            var answer = Fault.Answer()
            answer.body = block["body"].flatMap { text($0, "body") }
            answer.contentType = block["contentType"].flatMap { filledText($0, "contentType") }
            answer.location = block["location"].flatMap { filledText($0, "location") }
            // An answer with its own body or headers may have any status from 200, such as a page or a redirect.
            let isPlain = answer == Fault.Answer()
            return whole(value, name, in: (isPlain ? 400 : 200)...599).map {
                .refuse(status: $0, type: type, retryAfter: wait, answer: isPlain ? nil : answer)
            }
        case .delay: return interval(value, name).map { .delay($0) }
        case .lose: return word(value, name, among: ["event"]).map { _ in .lose }
        case .repeated: return word(value, name, among: ["event"]).map { _ in .repeated }
        case .swap: return word(value, name, among: ["event"]).map { _ in .swap }
        case .garble:
            return word(value, name, among: ["event"] + Fault.Garble.allCases.map(\.rawValue))
                .map { .garble(Fault.Garble(rawValue: $0) ?? .badJSON) }
        case .split:
            if case .text = value.content {
                return word(value, name, among: ["bytes"]).map { _ in .split(Fault.Effect.eachByte) }
            }
            return whole(value, name, in: 2...FixtureLimits.pieces).map { .split($0) }
        case .throttle: return whole(value, name, in: 1...FixtureLimits.throttle).map { .throttle($0) }
        case .lag: return interval(value, name).map { .lag($0) }
        case .expire: return word(value, name, among: ["token"]).map { _ in .expire }
        case .agentError: return knownProblem(value, name).map { .agentError($0) }
        case .handoff:
            return word(value, name, among: ["fails", "times out"])
                .map { .handoff($0 == "fails" ? .fails(reason: nil) : .timesOut(reason: nil)) }
        }
    }

    /// Reads a status code that a Close frame may carry (RFC 6455 §7.4).
    private mutating func closeCode(_ value: JSON5Value) -> Int? {
        guard let code = whole(value, "close", in: 1_000...4_999) else { return nil }
        switch code {
        case 1_000...1_003, 1_007...1_014, 3_000...4_999: return code
        default:
            report(
                .wrongType, at: value, "\(code) is never sent in a close frame (RFC 6455, section 7.4).",
                fix: "write { drop: \"connection\" } for a connection that just breaks")
            return nil
        }
    }
}

extension Key {
    fileprivate static let besideRefuse = [
        Key("retryAfter", .duration, #"With "refuse": when to try again."#),
        Key(
            "type", .filled,
            #"With "refuse": the protocol's name for it, where the protocol has names for errors."#),
        Key("body", .string, #"With "refuse": the body of the answer, in place of the protocol's own."#),
        Key(
            "contentType", .filled, #"With "refuse": what the answer says its body is, such as "text/html"."#),
        Key("location", .filled, #"With "refuse": where else to ask, for 3xx."#),
    ]
}

extension Fault.Effect.Kind {
    /// The effect's name as a member of `do`, with the form of its argument.
    fileprivate var key: Key {
        switch self {
        case .drop: Key(rawValue, .words("connection"), "The connection breaks.")
        case .stall:
            Key(
                rawValue, .either(.words("forever"), .duration),
                #"Nothing is sent for so long, or "forever"."#)
        case .close:
            Key(
                rawValue,
                .schema(
                    #"{"type": "integer", "anyOf": [{"minimum": 1000, "maximum": 1003}, {"minimum": 1007, "maximum": 1014}, {"minimum": 3000, "maximum": 4999}]}"#
                ), "The connection is closed with this code, such as 1011.")
        case .refuse:
            Key(rawValue, .whole(200...599), "The request is refused with this status, such as 429.")
        case .delay: Key(rawValue, .duration, "It comes later by so long.")
        case .lose: Key(rawValue, .words("event"), "The event is not sent.")
        case .repeated: Key(rawValue, .words("event"), "The event is sent twice.")
        case .swap: Key(rawValue, .words("event"), "The event and the next one change places.")
        case .garble:
            Key(
                rawValue, .words(["event"] + Fault.Garble.allCases.map(\.rawValue)),
                #"The event arrives damaged; "event" is the same as "bad JSON"."#)
        case .split:
            Key(
                rawValue, .either(.whole(2...FixtureLimits.pieces), .words("bytes")),
                #"The event comes in so many frames; "bytes": each byte in one of its own."#)
        case .throttle:
            Key(
                rawValue, .whole(1...FixtureLimits.throttle),
                "From here on the client gets so many bytes a second.")
        case .lag: Key(rawValue, .duration, "From here on what the client sends is heard so much later.")
        case .expire: Key(rawValue, .words("token"), "The token of the session is refused from now on.")
        case .agentError: Key(rawValue, .ref("problem"), "The agent reports this problem.")
        case .handoff: Key(rawValue, .words("fails", "times out"), "The handoff under way ends like this.")
        }
    }
}

extension BlockForm {
    static let effect = BlockForm(
        "A fault's \"do\"", "What happens: exactly one thing.",
        rules: .oneOf(
            Fault.Effect.Kind.allCases.map(\.rawValue),
            .schema(
                #"{"dependencies": {"retryAfter": ["refuse"], "type": ["refuse"], "body": ["refuse"], "contentType": ["refuse"], "location": ["refuse"], "refuse": {"anyOf": [{"required": ["body"]}, {"required": ["contentType"]}, {"required": ["location"]}, {"properties": {"refuse": {"minimum": 400}}}]}}}"#
            ))
    ) {
        Fault.Effect.Kind.allCases.map(\.key)
        Key.besideRefuse
    }
}
