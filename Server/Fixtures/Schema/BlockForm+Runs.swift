import ConversationEngine
import Texts

extension BlockForm {
    static let runs = BlockForm("The block \"runs\"", "How runs are sent to front ends of agents.") {
        Key(
            "ids", .words(RunSettings.IDs.allCases.map(\.rawValue)),
            #""seeded": a prefix and digits of the seed; "counted": call-1, call-2; "uuid"."#)
        Key("stamps", .flag, "true: each event says when it happened.")
        Key("echo", .flag, "true: the first event gives the request back.")
        Key("metadata", .object, "On the first event.")
        Key("state", .json, "The state of a thread whose first request brings none.")
        Key(
            "left", .words("stops", "goes on"),
            #"What becomes of a run whose client leaves: it "stops", or "goes on"."#)
        Key(
            "profile", .words("v0", "v1", "legacy"),
            "The version of AG-UI for all clients: version 0, version 1, or as the oldest clients of version 0 read it."
        )
    }

    static let tool = BlockForm("A tool", "Something that the agent, or the client, can use.") {
        Key("title", .filled, "What people read in place of its name.")
        Key("label", .filled, "What people read while it works.")
        Key("client", .flag, "true: the client has it, and answers its calls.")
        Key("takes", .duration, "How long it works.")
        Key(
            "results", .list(.ref("toolResult")),
            "What it gives back: the first result whose conditions hold.")
    }

    static let toolResult = BlockForm(
        "A result", "What a tool gives back, and to which arguments.", rules: .oneOf(Key.outcomes.map(\.name))
    ) {
        Key(
            "if", .ref("conditions"), #"Conditions on arguments: { "args.city": "Leeds" }."#)
        Key.outcomes
    }

    static let toolCall = BlockForm("A call", "One of several calls.", rules: ValueForm([notBothArguments])) {
        Key(needed: "tool", .filled, #"A name of "tools"."#)
        Key.ofCalls
    }

    static let notBothArguments = JSONObject.Member(
        "not", ValueForm.required(["with", "text"]).json)

    static let operation = BlockForm(
        "An operation",
        rules: .schema(
            #"{"allOf": [{"if": {"properties": {"op": {"enum": ["add", "replace", "test"]}}}, "then": {"required": ["value"]}}, {"if": {"properties": {"op": {"enum": ["move", "copy"]}}}, "then": {"required": ["from"]}}]}"#
        )
    ) {
        Key(needed: "op", .words("add", "remove", "replace", "move", "copy", "test"), "What is done.")
        Key(needed: "path", .pattern("^(/.*)?$"), #"Where: "/plan/items/-", or "" for the whole."#)
        Key("from", .pattern("^(/.*)?$"), "Where it is moved or copied from.")
        Key("value", .json, "Any JSON.")
    }

    static let usage = BlockForm("An entry of \"usage\"", "What a model has cost.") {
        Key("provider", .string, "Whose model it is.")
        Key("model", .string, "What it is called.")
        Key("inputTokens", .ref("tokens"), "Tokens that it read.")
        Key("outputTokens", .ref("tokens"), "Tokens that it wrote.")
        Key("totalTokens", .ref("tokens"), "Both together.")
        Key("reasoningTokens", .ref("tokens"), "Those of them that were reasoning.")
        Key("cachedInputTokens", .ref("tokens"), "Those that it had read before.")
        Key("cacheWriteInputTokens", .ref("tokens"), "Those that it keeps for the next time.")
    }

    static let part = BlockForm(
        "A part",
        rules: .schema(
            #"{"allOf": [{"if": {"properties": {"type": {"const": "text"}}}, "then": {"required": ["text"]}}, {"if": {"properties": {"type": {"const": "binary"}}}, "then": {"required": ["mimeType"]}}, {"if": {"properties": {"type": {"enum": ["image", "audio", "video", "document"]}}}, "then": {"required": ["source"]}}]}"#
        )
    ) {
        Key(
            needed: "type", .words("text", "image", "audio", "video", "document", "binary"), "What it is."
        )
        Key("id", .string, "Its id.")
        Key("text", .text, "The words of a text.")
        Key("source", .block(.source), "Where the bytes are.")
        Key("metadata", .object, "Any names.")
        Key("mimeType", .string, "Of a binary part.")
        Key("url", .string, "Where a binary part is.")
        Key("data", .string, "The bytes of a binary part in Base64.")
        Key("filename", .string, "What a binary part is called.")
    }

    static let source = BlockForm(
        "A source", "Where the bytes are.",
        rules: .schema(
            #"{"if": {"properties": {"type": {"const": "data"}}}, "then": {"required": ["mimeType"]}}"#)
    ) {
        Key(needed: "type", .words("data", "url", "file"), "What the value is.")
        Key(needed: "value", .string, "The bytes in Base64, an address, or the id of a file.")
        Key("mimeType", .string, #"Such as "image/png"."#)
        Key("provider", .string, "Who has the file.")
    }

    static let activity = BlockForm("An activity", "Shows how the work goes on.") {
        Key(needed: "id", .filled, "Its message.")
        Key(needed: "type", .filled, "Which kind of activity, for the client.")
        Key(needed: "content", .object, "What is shown.")
        Key(
            "keeps", .flag,
            "true: content that is there already stays; false: the event says `replace: true`.")
    }

    static let activityPatch = BlockForm("A change of an activity", "Changes what an activity shows.") {
        Key(needed: "id", .filled, "Its message.")
        Key(needed: "type", .filled, "Which kind of activity.")
        Key(needed: "patch", .ref("operations"), "Changes of the content (RFC 6902).")
    }

    static let card = BlockForm("A card", "A card in the reply.") {
        Key("id", .filled, "Its id, in place of one from the seed.")
        Key("label", .string, "What is shown until it is there.")
        Key(needed: "content", .json, "What is on it.")
    }

    static let custom = BlockForm("A custom event", "An event of your own.") {
        Key(needed: "name", .filled, #"With a prefix of yours, such as "shop.cart"."#)
        Key("value", .json, "Any JSON.")
    }

    static let raw = BlockForm("A raw event", "An event of a provider, handed through.") {
        Key(needed: "event", .json, "Any JSON.")
        Key("source", .string, "Whose it is.")
    }

    static let ask = BlockForm("A question to a person", "A question to a person.") {
        Key(needed: "name", .filled, #"What rules hear: { ask: "refund" }."#)
        Key("id", .text, "Its id, in place of one from the seed.")
        Key("reason", .filled, #""tool_call", "input_required" or "confirmation", or one of your own."#)
        Key("message", .text, "What the person reads.")
        Key("tool", .filled, "It is about the last open call of this tool.")
        Key("schema", .object, "The JSON schema of the answer.")
        Key("expires", .duration, "How long the answer is waited for.")
        Key("metadata", .object, "What goes with it, for the client.")
        Key(
            "choices", .list(.either(.filled, .block(.choice))),
            "What can be chosen, for clients that know no runs.")
    }

    static let choice = BlockForm("A choice") {
        Key(needed: "text", .filled, "What is shown, and said.")
        Key("answer", .object, "What it answers.")
        Key("cancels", .flag, "true: it is a refusal.")
    }

    static let failure = BlockForm("A failure") {
        Key(needed: "message", .text, "Why, for people.")
        Key("code", .filled, #"Why, for programs: "provider_timeout"."#)
    }
}

extension Key {
    static let id = Key("id", .text, "The id of the call or of the message, in place of one from the seed.")
    static let gives = Key("gives", .json, "What the tool gives back: JSON, or a text.")
    static let fails = Key("fails", .json, "The tool fails with these words, or this JSON.")
    static let pieces = Key(
        "pieces", .list(.text, least: 1),
        "How the arguments, or the reasoning, come: exactly these pieces.")
    static let cut = Key(
        "cut", .chunkSize, "How much of the arguments, or of the reasoning, comes at a time.")
    static let every = Key("every", .duration, "The pause between two pieces.")

    static let outcomes = [
        gives,
        Key("parts", .ref("parts"), "What the tool gives back in parts, such as a text and a picture."),
        fails, Key("silent", .mark, "true: nothing ever comes of the call."),
    ]

    static let ofCalls =
        [
            Key("with", .object, "The arguments of the call; its texts may have placeholders."),
            Key("text", .text, "The arguments as they stand, right or wrong."),
            pieces, cut, every,
            Key("takes", .duration, "How long the tool works."),
            id,
            Key(
                "owner", .optionalString,
                "The id of the message that holds the call; null: none. Without it the text of the same turn holds it."
            ),
        ] + outcomes
}
