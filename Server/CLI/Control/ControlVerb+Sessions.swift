import ControlClient
import Texts

/// `polymock sessions`, `session`, `journal`, `end` and `push`.
extension ControlVerb {
    static func sessions(_ words: ControlWords) throws(Misuse) -> Job {
        try words.nothing()
        _ = try words.oneOf("--state", ["open", "ended"])
        return .ask(ControlRequest("GET", "sessions", query: words.parameters("tag", "state")), .sessions)
    }

    static func session(_ words: ControlWords) throws(Misuse) -> Job {
        .ask(ControlRequest("GET", ControlRequest.path("sessions", try words.session())), .session)
    }

    static func journal(_ words: ControlWords) throws(Misuse) -> Job {
        let session = try words.session()
        let after = try words.number("--after")
        if words.has("--follow") { return .followJournal(session: session, after: after ?? 0) }
        return .ask(journalRequest(session, after: after), .journal)
    }

    static func journalRequest(_ session: String, after: UInt64?) -> ControlRequest {
        ControlRequest(
            "GET", ControlRequest.path("sessions", session, "journal"),
            query: after.map { [.init("after", String($0))] } ?? [])
    }

    static func end(_ words: ControlWords) throws(Misuse) -> Job {
        let session = try words.session()
        let reason = try words.oneOf("--reason", ["natural", "user", "abandoned"])
        guard !words.has("--forget") else {
            try words.without(["--reason"], "means nothing with --forget, which ends as abandoned")
            return .ask(ControlRequest("DELETE", ControlRequest.path("sessions", session)), .ended)
        }
        return .ask(
            ControlRequest(
                "POST", ControlRequest.path("sessions", session, "end"),
                body: .json(.object(["reason": .string(reason ?? "natural")]))), .ended)
    }

    static func push(_ words: ControlWords) throws(Misuse) -> Job {
        let body: JSONObject
        if words.has("--raw") || words.has("--frame") {
            body = try rawPush(words)
        } else {
            let rest = try words.exactly(
                2, "a session and a text in quotes, such as: polymock push last --as agent \"Hello\"")
            guard let speaker = try words.oneOf("--as", ["agent", "person", "user"]) else {
                throw Misuse(
                    sentence: "\"polymock push\" needs --as agent, --as person or --as user, or --raw")
            }
            if speaker == "user" {
                try words.without(["--suggest", "--card", "--call"], "goes with --as agent or person only")
            }
            var parts = SpokenParts(suggestions: words.flags.all["--suggest"] ?? [])
            for text in words.flags.all["--card"] ?? [] {
                guard let card = SpokenParts.Card(text) else {
                    throw Misuse(sentence: "--card takes a title and a link, not \"\(text)\"")
                }
                parts.cards.append(card)
            }
            for text in words.flags.all["--call"] ?? [] {
                guard let call = SpokenParts.Call(text) else {
                    throw Misuse(sentence: "--call takes a title and a number, not \"\(text)\"")
                }
                parts.calls.append(call)
            }
            var object: JSONObject = ["as": .string(speaker)]
            if let name = words.value("--by") { object.members.append(.init("by", .string(name))) }
            object.members.append(.init("text", .string(rest[1])))
            object.members += parts.members
            body = object
        }
        let request = ControlRequest(
            "POST", ControlRequest.path("sessions", words.rest[0], "events"), body: .json(.object(body)))
        return .ask(request, .pushed)
    }

    private static func rawPush(_ words: ControlWords) throws(Misuse) -> JSONObject {
        try words.without(
            ["--as", "--by", "--suggest", "--card", "--call"], "means nothing with --raw or --frame")
        guard !words.has("--frame") else {
            guard !words.has("--raw") else {
                throw Misuse(sentence: "--raw and --frame are two forms of one thing; choose one")
            }
            let rest = try words.exactly(2, "a session and the exact text of a frame with --frame")
            return ["as": .string("raw"), "frame": .string(rest[1])]
        }
        let rest = try words.exactly(
            3,
            "a session, a type and a payload with --raw, "
                + "such as: polymock push last --raw EVENT_TYPE_SESSION_IDLE_WARNING '{}'")
        guard let payload = json(rest[2]), payload.object != nil else {
            throw Misuse(sentence: "the payload of --raw is a JSON object such as {}, not \(rest[2])")
        }
        return ["as": .string("raw"), "type": .string(rest[1]), "payload": payload]
    }

    /// Nil for what is not JSON.
    static func json(_ text: String) -> JSONValue? {
        do throws(JSONError) {
            return try JSONReader.read(Array(text.utf8))
        } catch {
            return nil
        }
    }

    /// `polymock hold`: frames that wait for a person.
    static func hold(_ words: ControlWords) throws(Misuse) -> Job {
        let task = try words.task(["list", "on", "off", "release", "drop"]) ?? "list"
        if task != "on" { try words.without(["--release"], "goes with \"polymock hold on\" only") }
        if task != "release" { try words.without(["--text"], "goes with \"polymock hold release\" only") }
        switch task {
        case "list":
            _ = try words.upTo(1, "nothing behind \"list\"")
            return .ask(ControlRequest("GET", "held"), .held)
        case "on", "off":
            let session = try words.exactly(2, "a session behind \"\(task)\"")[1]
            let length = try words.value("--release").map { text throws(Misuse) in
                JSONValue.string(try words.length(text, "--release"))
            }
            let body = JSONObject(present: [("hold", .bool(task == "on")), ("release", length)])
            let done =
                task == "on"
                ? "its frames wait for you; \"polymock hold\" lists them" : "its frames leave at once"
            return .ask(
                ControlRequest(
                    "POST", ControlRequest.path("sessions", session, "hold"), body: .json(.object(body))),
                .done(done))
        default:
            let id = try words.exactly(2, "the id of a frame; \"polymock hold\" shows them")[1]
            let path = ControlRequest.path("held", id)
            guard task == "release" else {
                return .ask(ControlRequest("DELETE", path), .done("frame \(id) is never sent"))
            }
            let body = JSONObject(present: [("text", words.value("--text").map { .string($0) })])
            return .ask(
                ControlRequest("POST", path, body: .json(.object(body))), .done("frame \(id) has left"))
        }
    }
}
