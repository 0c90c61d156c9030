import ConversationEngine
import Matching

extension BlockForm {
    static let top = BlockForm(
        "A fixture",
        "How a scripted agent behaves: what it hears, what it answers, how fast, and who takes over.",
        rules: .required(["fixture"])
    ) {
        Key(
            "$schema", .string,
            #"Where this schema is, for editors: "./fixture-1.schema.json" when it lies next to the file."#
        )
        Key("fixture", .schema(#"{"const": 1}"#), "The version of the format: 1.")
        Key("name", .filled, "The title in lists. The name a fixture is chosen by is its file name.")
        Key("about", .string, "One line for lists: what this conversation is for.")
        Key("agent", .ref("agent"))
        Key("session", .ref("session"))
        Key(
            "seed", .whole(0...9007199254740992),
            "The same seed draws the same pauses and ids. A token or a test may overrule it.")
        Key(
            "clock", .pattern(#"^(real|frozen|scaled (?!0+(\.0+)?$)[0-9]+(\.[0-9]+)?)$"#),
            #"How time passes: "real", "frozen", or "scaled 10" for ten times as fast."#)
        Key(
            "zone", .pattern("^(UTC|[+-](0[0-9]|1[0-3]):[0-5][0-9]|[+-]14:00)$"),
            #"How far the clock of the conversation is ahead of UTC: "+01:00", "-05:00" or "UTC", which it is when this is missing. {now} and conditions on the time of day follow it. There is no summer time."#
        )
        Key(
            "values", .names(of: .constant, called: "slotName"),
            #"Constants for texts: { phone: "+442079460018" } is used as {phone}."#)
        Key(
            "kinds", .names(of: .ref("kind"), called: "kindName"),
            #"Entity types with a closed list of values: { size: ["small", "large"] } is used as {size:size}. A block gives values other spellings: { size: { large: ["big"] } }."#
        )
        Key(
            "memory", .names(of: .initial, called: "slotName"),
            "Everything the conversation can remember, with what is known at the start: null for nothing. Rules fill it, texts show it as {name}."
        )
        Key(
            "pace", .filled,
            #"How fast the agent talks, unless a step says otherwise: a name of "paces", or "natural", or "instant"."#
        )
        Key(
            "paces", .names(of: .ref("pace")),
            #"Speeds by name. "natural" and "instant" are always there and may be redefined."#)
        Key("greeting", .ref("steps"), "What the agent does first, when it has joined.")
        Key("begin", .filled, #"The first stage; "start" when this is missing."#)
        Key(
            "stages", .names(of: .ref("rules")),
            #"The states of the conversation. In each, only its own rules and those of "anywhere" listen; "then" leads from one to the next."#
        )
        Key(
            "anywhere", .ref("rules"),
            "Rules for what a user may say at any moment; tried after those of the stage.")
        Key(
            "otherwise", .ref("lastRules"),
            #"When nothing else hears: rules without "hears", tried last."#)
        Key(
            "handoffs", .names(of: .ref("handoff")),
            #"The live agents that the agent hands over to, by the name a "handoff" step uses."#)
        Key("runs", .ref("runs"))
        Key(
            "tools", .names(of: .ref("tool")),
            #"What the agent, or the client, can use: each by the name that a "tool" step uses."#)
        Key(
            "faults", .names(of: .ref("fault")),
            #"Faults by name. All are off until a run or a "fault" step asks for one."#)
        Key(
            "examples", .list(.ref("example")),
            "Conversations that must go exactly as written; every check runs them.")
    }

    static let agent = BlockForm("An agent", "The agent, as clients see it when it joins.") {
        Key(needed: "name", .filled, "The name the client shows.")
        Key("avatar", .link, "A picture of the agent: a whole address.")
    }

    static let liveAgent = BlockForm("A live agent", "The live agent who joins.") {
        Key("id", .filled, #"What the client knows the live agent by; "person-1" when this is missing."#)
        Key(needed: "name", .filled, "The name the client shows; {liveAgent.name} in texts.")
        Key("avatar", .link, "A picture of the live agent: a whole address.")
    }

    static let session = BlockForm(
        "A session", "Limits and switches of a session. What is missing is the server's own setting."
    ) {
        Key("streaming", .flag, "false: replies come whole, even when a client asks for pieces.")
        Key(
            "greetingMessage", .flag,
            "true: a greeting that the client asks for is said in place of the fixture's.")
        Key("tokenLife", .lasting, "How long an access token is valid.")
        Key("idle", .lasting, "After so much silence of the client the session ends as abandoned.")
        Key(
            "connections", .whole(1...FixtureLimits.connections),
            "How many sockets one session may have at once.")
        Key(
            "heartbeat", .duration,
            #"How often the client is asked for a sign of life, in whole seconds; "0s" for never."#)
    }

    static let pace = BlockForm("A pace", #"A speed. What is missing is as in "natural", without jitter."#) {
        Key("think", .duration, "How long the agent thinks before each message.")
        Key(
            "chunk", .chunkSize,
            #"How much comes at a time in streamed replies: "3 words", "10 characters", "5 tokens", "1 sentence", "1 line" or "whole"."#
        )
        Key("every", .duration, "The pause between two pieces.")
        Key("jitter", .share, #"How uneven the pauses are, such as "20%"."#)
    }

    static let hours = BlockForm(
        "A time of day",
        #"A part of the day or week by the clock of the conversation: { from: "17:00", to: "22:00", days: ["Friday"] }. A "to" before "from" is of the next day."#,
        rules: .schema(#"{"minProperties": 1}"#)
    ) {
        Key(
            "from", .pattern("^([01]?[0-9]|2[0-3]):[0-5][0-9]$"),
            "The first minute; midnight when this is missing.")
        Key(
            "to", .pattern("^(([01]?[0-9]|2[0-3]):[0-5][0-9]|24:00)$"),
            "The first minute that is outside; midnight when this is missing.")
        Key(
            "days", .several(.ref("weekday")),
            "The days on which it begins; every day when this is missing.")
    }

    static let rule = BlockForm(
        "A rule", "What is heard, and what is answered.", rules: replies(needed: "hears")
    ) {
        Key("name", .filled, "For reports and logs.")
        Key("hears", .ref("hears"))
        answer
    }

    static let lastRule = BlockForm(
        "A rule of \"otherwise\"", "What is answered to anything.", rules: replies(needed: nil)
    ) {
        Key("name", .filled, "For reports and logs.")
        answer
    }

    private static let answer = [
        Key("if", .ref("conditions")),
        Key("limit", .count, "How often this rule may answer in one session."),
        Key(
            "replies", .ref("steps"),
            #"What to do, step by step. May be empty where "then" leads on."#),
        Key("then", .string, "The stage the conversation goes to."),
    ]

    /// Returns the constraints of a rule. `replies` may be empty only with `then`.
    private static func replies(needed name: String?) -> ValueForm {
        let rules = ValueForm.schema(
            #"{"if": {"properties": {"replies": {"type": "array", "maxItems": 0}}}, "then": {"required": ["then"]}}"#
        )
        return ValueForm(ValueForm.required([name, "replies"].compactMap(\.self)).members + rules.members)
    }

    static let matcher = BlockForm(
        "A \"hears\" block", rules: .schema(#"{"minProperties": 1, "maxProperties": 1}"#)
    ) {
        Key(
            "exactly", .several(.schema(#"{"type": "string", "minLength": 1, "not": {"const": "*"}}"#)),
            "The whole message is this, or one of these.")
        Key("all", .ref("hears"), "All of them, in any order.")
        Key("none", .ref("hears"), "None of them.")
        Key(
            "regex", .filled,
            "The pattern is found; named groups such as (?<people>[0-9]+) become memory.")
        Key("tool", .filled, "In place of words: the client's answer of this tool.")
        Key("ask", .filled, "In place of words: the decision on what was asked by this name.")
        Key(
            "file", .filled,
            "In place of words: a file of the user of this media type: image/png, image/*, or * for any.")
        Key("reaction", .filled, "In place of words: this reaction of the user, such as 👍, or * for any.")
    }

    static let condition = BlockForm("A condition", rules: .schema(#"{"minProperties": 1}"#)) {
        Key("is", .initial, #"The same, capitals and accents aside; null for "not known yet"."#)
        Key("isNot", .initial, #"Anything else, also nothing; null for "known"."#)
        Key("atLeast", .number, "A number of this or more.")
        Key("atMost", .number, "A number of this or less.")
        Key("known", .flag, "true: filled; false: not known yet.")
    }

    static let notice = BlockForm("A \"system\" notice") {
        Key("level", .words("info", "warning", "error"), #""info" when this is missing."#)
        Key(needed: "text", .text)
    }

    static let emission = BlockForm(
        "An \"emit\" step", "Any event, sent as it stands: for what the language has no word for."
    ) {
        Key(needed: "type", .filled, "The type of the event, as the protocol spells it.")
        Key("payload", .object, "The content of the event; placeholders such as {name} are not filled.")
    }

    static let handoff = BlockForm(
        "A handoff", "Somebody who takes over from the agent, or the way to somebody.",
        rules: .schema(
            #"{"dependencies": {"route": {"required": ["mode"], "properties": {"mode": {"const": "client"}}}, "reason": {"anyOf": [{"required": ["mode"], "properties": {"mode": {"const": "client"}}}, {"required": ["outcome"], "properties": {"outcome": {"enum": ["fails", "times out"]}}}]}}}"#
        )
    ) {
        Key(
            "mode", .words("server", "client"),
            #""server": a live agent joins this talk. "client": the client leads the user elsewhere."#)
        Key("outcome", .words("joins", "fails", "times out"), #"How it ends: "joins" unless given."#)
        Key("reason", .filled, "Why the client has to act, or why it fails.")
        Key("route", .filled, #"Where the client leads the user; with mode: "client"."#)
        Key("queue", .block(.queue), "The queue in front of the live agent.")
        Key("liveAgent", .ref("liveAgent"))
        Key("opens", .ref("steps"), "What the live agent does on joining.")
        Key("rules", .ref("rules"), "What the live agent hears and answers.")
        Key("otherwise", .ref("lastRules"), "What the live agent answers to anything else.")
    }

    static let queue = BlockForm("A queue", "The queue in front of the live agent.") {
        Key("name", .filled, "The name the client shows.")
        Key(
            "positions",
            .schema(
                #"{"type": "array", "maxItems": 1000, "items": {"type": "integer", "minimum": 1, "maximum": 100000}}"#
            ), "The positions sent one after the other, such as [3, 2, 1]; 1 is the front. They may rise.")
        Key("every", .duration, #"The time between two places; "5s" when this is missing."#)
        Key("waitPerPlace", .duration, "The estimated wait is the place times this.")
    }

    static let fault = BlockForm(
        "A fault", "A fault: at one moment, one effect.",
        rules: .schema(
            #"{"if": {"required": ["per", "at"], "properties": {"at": {"enum": ["token", "session"]}, "per": {"const": "session"}}}, "then": false}"#
        )
    ) {
        Key(
            needed: "at",
            .pattern("^(\(moments.map(pattern).joined(separator: "|")))$"),
            "When: \(MessageFormat.alternatives(moments.map { "\"\($0)\"" })).")
        Key(needed: "do", .ref("effect"))
        Key("times", .count, #"How often it fires; "fails twice, then recovers" is 2."#)
        Key(
            "per", .words(Fault.Span.allCases.map(\.rawValue)),
            #"What "times" counts over: each "session", or all sessions of one "token". Without it: the token for "token", "session", "handshake" and "connect", the session for all others."#
        )
        Key("chance", .share, #"How likely it fires, such as "50%"; always when this is missing."#)
    }

    private static let moments = Fault.Moment.Kind.allCases.map(\.rawValue)

    /// Returns a regular expression for moments like the sample, with any number and any operation.
    private static func pattern(_ moment: String) -> String {
        moment.split(separator: " ").map { word in
            switch word {
            case "1", "2": "0*(100000|[1-9][0-9]{0,4})"
            case "CreateSession": "[A-Za-z][A-Za-z0-9]{0,63}"
            default: String(word)
            }
        }.joined(separator: " ")
    }

    static let example = BlockForm("An example", "A conversation that must go exactly as written.") {
        Key(needed: "name", .filled, "Shown when the example fails.")
        Key(
            "now",
            .pattern(
                "^((\(WallTime.weekdays.joined(separator: "|"))) )?([01]?[0-9]|2[0-3]):[0-5][0-9]$"
            ),
            #"What the clock of the conversation shows when it begins: "21:00" or "Monday 21:00"; half past nine on a Thursday when this is missing."#
        )
        Key(
            "memory", .names(of: .constant),
            #"What is known when it begins, in place of what the file says: { open: "no" }."#)
        Key(
            needed: "talk",
            .list(
                .schema(
                    #"{"description": "\"user: …\", \"agent: …\", \"live agent: …\", \"queue: 3\", \"end: natural\"; in runs \"tool: get_weather Leeds\", \"asks: refund\", \"state: ready\", \"fails: rate_limited\", \"event: CUSTOM\", and of the client \"answer: pick_date 2026-12-03\" or \"decline: pick_date busy\". What somebody says need only contain the words, whole; \"agent: exactly: …\" asks for all of it.", "type": "string", "anyOf": [{"pattern": "^user:[ \\t]*(?!exactly:)[^ \\t]"}, {"pattern": "^(agent|live agent):[ \\t]*(?!exactly:[ \\t]*$)[^ \\t]"}, {"pattern": "^queue:[ \\t]*0*(100000|[1-9][0-9]{0,4})[ \\t]*$"}, {"pattern": "^end:[ \\t]*(natural|user|abandoned)[ \\t]*$"}, {"pattern": "^(tool|asks|state|fails|event|answer|decline):[ \\t]*[^ \\t]"}]}"#
                )), "Lines in order. What is not mentioned is allowed.")
    }
}
