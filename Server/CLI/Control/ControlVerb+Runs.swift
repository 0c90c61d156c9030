import ControlClient
import FixtureTools
import Texts

/// Verb `polymock runs`: lists a session's runs, and answers the agent's questions in place of the client.
extension ControlVerb {
    static let runVerbs = [
        Verb(
            name: "runs", about: "what an agent did, and answer what it asks",
            title: "what an agent did in its runs, and answers in place of the client.",
            usage: [
                "<session> [--wires]", "<session> --ask <id> (--payload <json> | --cancel)",
                "<session> --call <id> [--content <text>] [--error <text>]",
            ],
            flags: [
                ("--wires", "the whole conversation, side by side as each protocol sends it"),
                ("--ask <id>", "decide what the agent asks"),
                ("--payload <json>", "the decision"), ("--cancel", "refuse"),
                ("--call <id>", "answer for a tool that the client has"),
                ("--content <text>", "what the tool gave back"), ("--error <text>", "why it failed"),
            ], notes: [Verb.sessionNote], example: "runs last --ask ask_1 --payload '{\"approved\": true}'",
            parse: runs)
    ]

    static func runs(_ words: ControlWords) throws(Misuse) -> Job {
        let session = try words.session()
        let answers = ["--payload", "--cancel", "--content", "--error"]
        let (ask, call) = (words.value("--ask"), words.value("--call"))
        guard ask != nil || call != nil else {
            try words.flags.without(answers, "goes with --ask or --call only")
            let wires = words.has("--wires")
            let query: [ControlRequest.Parameter] = wires ? [.init("wires", "true")] : []
            return .ask(
                ControlRequest("GET", "sessions", session, "runs", query: query), wires ? .wires : .runs)
        }
        try words.flags.without(["--wires"], "means nothing with an answer")
        var answer: [(String, JSONValue?)]
        if let ask {
            try words.flags.without(["--call", "--content", "--error"], "goes with a call, not with --ask")
            guard words.has("--cancel") != (words.value("--payload") != nil) else {
                throw Misuse(sentence: "--ask needs --payload, such as '{\"approved\": true}', or --cancel")
            }
            answer = [("ask", .string(ask)), ("payload", try words.value("--payload").map(payload))]
            if words.has("--cancel") { answer.append(("cancel", .bool(true))) }
        } else {
            try words.flags.without(["--payload", "--cancel"], "goes with --ask, not with --call")
            guard words.value("--content") != nil || words.value("--error") != nil else {
                throw Misuse(sentence: "--call needs --content or --error")
            }
            answer = ["call", "content", "error"].map { ($0, words.string("--" + $0)) }
        }
        let body: JSONObject = ["answers": .array([.object(JSONObject(present: answer))])]
        return .ask(
            ControlRequest("POST", "sessions", session, "runs", body: body),
            .done("the agent has your answer"))
    }

    /// Reads an argument as JSON or plain text. Refuses a text that begins like JSON but is invalid.
    private static func payload(_ text: String) throws(Misuse) -> JSONValue {
        if let value = json(text) { return value }
        guard let first = text.first(where: { !$0.isWhitespace }), "{[\"".contains(first) else {
            return .string(text)
        }
        throw Misuse(
            sentence: "the payload begins like JSON and is none: \(text); "
                + "write it such as '{\"approved\": true}', or words without quotes")
    }
}

extension ControlDisplay {
    static let runs = Self("runs") { json in
        var answer = table(
            (json["runs"]?.array ?? []).flatMap { run in
                (run["entries"]?.array ?? []).map {
                    JSONValue.object(["run": run["number"] ?? .null, "entry": $0])
                }
            },
            [
                field("RUN", "run", isNumber: true),
                (.init("N", isNumber: true), { ValueText.text($0["entry"]?["n"]) }),
                (.init("TIME"), { ValueText.clockTime($0["entry"]?["time"]) }),
                (.init("WHAT"), { ValueText.text($0["entry"]?["kind"]) }),
                (.init("OF"), { whose($0["entry"] ?? .null) }),
                (.init("VALUE"), { value($0["entry"] ?? .null) }),
            ], empty: "no run yet")
        for ask in json["waits"]?["asks"]?.array ?? [] {
            answer.lines.append("waits: --ask \(ValueText.text(ask["ask"]))  \(ValueText.text(ask["text"]))")
        }
        for call in json["waits"]?["calls"]?.array ?? [] {
            answer.lines.append(
                "waits: --call \(ValueText.text(call["call"]))  \(ValueText.text(call["name"]))")
        }
        return answer
    }

    static let wires = Self("wires") { json in
        let talk = json["talk"]?.array ?? []
        let protocols = talk.first.flatMap(sent)?.object?.members.map(\.name) ?? []
        return table(
            talk,
            [
                time("TIME", "time"), (.init("WHAT"), { ValueText.text($0["kind"]) }),
                (.init("VALUE"), { value($0) }),
            ]
                + protocols.map { name in
                    (
                        .init(name.uppercased()),
                        { row in
                            (sent(row)?[name]?.array ?? []).map { ValueText.text($0["type"]) }.joined(
                                separator: " ")
                        }
                    )
                }, empty: "nothing happened yet")
    }

    /// Returns the messages that were sent for a row, by protocol.
    private static func sent(_ row: JSONValue) -> JSONValue? {
        row["sent"] ?? FormerNames.former(ofMember: "sent").flatMap { row[$0] }
    }

    private static func whose(_ entry: JSONValue) -> String {
        let name = entry["name"] ?? entry["outcome"] ?? entry["id"]
        return name.map { ValueText.text($0) } ?? ""
    }

    private static func value(_ entry: JSONValue) -> String {
        guard let value = entry["text"] ?? entry["value"] else { return "" }
        return TextTable.oneLine(value.string ?? ValueText.compact(value))
    }
}
