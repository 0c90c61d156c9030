import Clocks
import ConversationEngine
import Matching
import Texts

/// Compiles `say` steps: texts, chunks and message parts.
extension FixtureCompiler {
    mutating func speech(_ block: Block, _ place: SourcePlace) -> SayStep? {
        var speech = SayStep(texts: [])
        if let say = block["say"] { speech.texts = texts(say) }
        if let chunks = block["chunks"] { compileChunks(chunks, say: block["say"], into: &speech) }
        if let suggest = block["suggest"] { speech.parts.suggestions = suggestions(suggest, place) }
        for item in block["attach"].flatMap({ list($0, "attach") }) ?? [] {
            if let attachment = attachment(item) { speech.parts.attachments.append(attachment) }
        }
        for item in block["call"].flatMap({ list($0, "call") }) ?? [] {
            if let call = call(item) { speech.parts.calls.append(call) }
        }
        if let name = block["pace"] { speech.pace = pace(name) }
        speech.id = block["id"].flatMap { template($0, "id") }
        return speech.texts.isEmpty ? nil : speech
    }

    /// Reads one text, or a list of texts that the step says in turn, one at each use.
    private mutating func texts(_ value: JSON5Value) -> [Template] {
        switch value.content {
        case .text: return template(value, "say").map { [$0] } ?? []
        case .list(let items):
            if items.isEmpty { report(.missingPart, at: value, "\"say\" is an empty list: nothing to say.") }
            var texts: [Template] = []
            for item in items {
                if let text = template(item, "say") { texts.append(text) }
            }
            return texts
        default:
            report(.wrongType, at: value, "\"say\" must be a text or a list of texts, not \(value.kindName).")
            return []
        }
    }

    /// Reads a chunk size, or exact chunks.
    private mutating func compileChunks(
        _ value: JSON5Value, say: JSON5Value?, into speech: inout SayStep
    ) {
        if case .text = value.content {
            speech.cut = chunkSize(value, "chunks")
            if say == nil {
                report(
                    .missingPart, at: value,
                    "These \"chunks\" are a size: a \"say\" with the text is missing.")
            }
            return
        }
        guard let chunks = pieces(value, "chunks", "say") else { return }
        speech.chunks = chunks
        let joined = Self.joined(chunks)
        guard let say else {
            speech.texts = [joined]
            return
        }
        guard !speech.texts.isEmpty else { return }
        if speech.texts.count != 1 || !addsUp(chunks, to: speech.texts[0]) {
            report(
                .wrongType, at: value,
                "The chunks do not add up to the text of \"say\" in line \(place(of: say).line).",
                fix: "leave \"say\" out: the chunks are the text")
        }
        speech.texts = [joined]
    }

    /// Reads a list of chunks of one text; nil if there are none, or if a chunk cannot be read.
    mutating func pieces(_ value: JSON5Value, _ name: String, _ verb: String) -> [Template]? {
        guard let items = list(value, name) else { return nil }
        if items.isEmpty {
            report(.missingPart, at: value, "\"\(name)\" is an empty list: nothing to \(verb).")
        }
        var pieces: [Template] = []
        for item in items {
            if let piece = template(item, name) { pieces.append(piece) }
        }
        return pieces.count == items.count && !items.isEmpty ? pieces : nil
    }

    /// Whether the chunks together are equal to `whole`.
    func addsUp(_ pieces: [Template], to whole: Template) -> Bool {
        Self.plain(whole) == Self.plain(Self.joined(pieces))
    }

    private static func joined(_ chunks: [Template]) -> Template {
        var parts: [Template.Part] = []
        for part in chunks.flatMap(\.parts) {
            if case .text(let next) = part, case .text(let last)? = parts.last {
                parts[parts.count - 1] = .text(last + next)
            } else {
                parts.append(part)
            }
        }
        return Template(parts: parts)
    }

    private static func plain(_ template: Template) -> [Template.Part] {
        template.parts.map { part in
            if case .slot(let name, _) = part { .slot(name, offset: 0) } else { part }
        }
    }

    private mutating func suggestions(_ value: JSON5Value, _ step: SourcePlace) -> [SuggestionTemplate] {
        var suggestions: [SuggestionTemplate] = []
        var places: [SourcePlace] = []
        for item in list(value, "suggest") ?? [] {
            if case .object = item.content {
                guard let block = block(item, .suggestion) else { continue }
                guard let text = block["text"].flatMap({ template($0, "text") }) else { continue }
                let payload = block["payload"].flatMap { template($0, "payload") }
                suggestions.append(SuggestionTemplate(text: text, payload: payload, form: form(block)))
            } else {
                guard let text = template(item, "suggest") else { continue }
                suggestions.append(SuggestionTemplate(text: text))
            }
            places.append(place(of: item))
        }
        if !places.isEmpty { map.suggestions[step] = places }
        return suggestions
    }

    private mutating func form(_ block: Block) -> SuggestionForm<Template> {
        let length = block["lasts"].flatMap { interval($0, "lasts") }
        if let lasts = block["lasts"], !block.has("time") {
            report(.wrongType, at: lasts, "\"lasts\" belongs to a \"time\".")
        }
        if let heading = block["under"] {
            if block["time"] != nil {
                report(.oneVerb, at: block.value, "A suggestion has either \"under\" or a \"time\".")
            }
            return template(heading, "under").map { .under($0) } ?? .plain
        }
        guard let value = block["time"], let time = text(value, "time") else { return .plain }
        guard ValueSyntax.isSlot(time) else {
            report(
                .wrongType, at: value,
                "\"\(MessageFormat.shortened(time))\" is not a time. Write \"2026-01-31T18:00+00:00\".")
            return .plain
        }
        return .at(Template(literal: time), minutes: max(1, Int((length ?? .minutes(60)).seconds) / 60))
    }

    private mutating func attachment(_ value: JSON5Value) -> AttachmentTemplate? {
        let kinds = AttachmentKind.allCases.map(\.rawValue)
        guard let block = block(value, .attachment) else { return nil }
        let targets = kinds.compactMap { name in block[name].map { (name, $0) } }
        guard targets.count == 1, let (name, target) = targets.first,
            let kind = AttachmentKind(rawValue: name)
        else {
            if targets.isEmpty, kinds.contains(where: { block.has($0) }) { return nil }
            let names = MessageFormat.alternatives(kinds.map { "\"\($0)\"" })
            report(.oneVerb, at: value, "An attachment has exactly one of \(names).")
            return nil
        }
        let address =
            switch kind {
            case .link, .image: link(target, name)
            case .file: file(target, name)
            case .form: filledText(target, name).map { Template(literal: $0) }
            }
        guard let url = address else { return nil }
        if kind == .file { require(["title"], in: block, "A file") }
        var result = AttachmentTemplate(kind: kind, url: url)
        result.preview = block["preview"].flatMap { link($0, "preview") }
        result.title = block["title"].flatMap { template($0, "title") }
        result.button = block["button"].flatMap { template($0, "button") }
        return result
    }

    private mutating func link(_ value: JSON5Value, _ name: String) -> Template? {
        guard let template = template(value, name) else { return nil }
        checkLink(template, at: value)
        return template
    }

    /// Reads a file given as a data URL (RFC 2397).
    private mutating func file(_ value: JSON5Value, _ name: String) -> Template? {
        guard let template = template(value, name) else { return nil }
        let address = template.filled { names.values[$0] ?? "x" }
        if DataAddress(address) == nil {
            report(
                .badLink, at: value,
                "\"\(MessageFormat.shortened(address))\" is no file. Write its bytes as an address, such as "
                    + "data:text/plain,Soup or data:application/pdf;base64,JVBERg==.")
        }
        return template
    }

    private mutating func call(_ value: JSON5Value) -> CallTemplate? {
        guard let block = block(value, .callButton) else { return nil }
        let title = block["title"].flatMap { template($0, "title") }
        let number = block["number"].flatMap { template($0, "number") }
        guard let title, let number else { return nil }
        return CallTemplate(title: title, number: number)
    }
}

extension Key {
    static let ofTexts = [
        Key(
            "suggest", .list(.either(.text, .block(.suggestion))),
            "Buttons under the message; each sends its text."),
        Key("attach", .list(.ref("attachment")), "Pictures and cards under the message."),
        Key("call", .list(.block(.callButton)), "Buttons that ring."),
        Key("pace", .filled, #"Another speed for this message: a name of "paces"."#),
        Key(
            "chunks", .either(.chunkSize, .list(.text, least: 1)),
            #"How a streamed reply is cut: a size such as "1 sentence" or "whole", or a list of the exact pieces. These are the text, so "say" is left out."#
        ),
        id,
    ]
}

extension BlockForm {
    static let suggestion = BlockForm(
        "A suggestion",
        rules: .schema(#"{"dependencies": {"lasts": ["time"]}, "not": {"required": ["under", "time"]}}"#)
    ) {
        Key(needed: "text", .text, "What the button shows and sends.")
        Key("payload", .text, "Something for the client, such as the number of an article.")
        Key("under", .text, "The heading it stands under, where a protocol shows several groups.")
        Key(
            "time",
            .pattern(
                "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9][+-](0[0-9]|1[0-4]):[0-5][0-9]$"
            ),
            #"The time that it stands for, where a protocol lets people pick times: "2026-01-31T18:00+00:00"."#
        )
        Key("lasts", .duration, "How long that time lasts; an hour when this is missing.")
    }

    static let attachment = BlockForm(
        "An attachment", "A card with a link, a picture, a file, or a form.",
        rules: .schema(
            #"{"oneOf": [{"required": ["link"]}, {"required": ["image"]}, {"required": ["file", "title"]}, {"required": ["form"]}]}"#
        )
    ) {
        Key("title", .text, "The caption, and what a screen reader says.")
        Key("link", .link, "Makes it a card that opens this address.")
        Key("image", .link, "Makes it a picture: its address.")
        Key(
            "file", .link,
            "Makes it a file with the title as its name: an address with the bytes inside, data:text/plain,Soup or data:application/pdf;base64,JVBERg=="
        )
        Key("form", .filled, "Makes it a form that the client knows by this name.")
        Key("preview", .link, "A small picture for the card.")
        Key("button", .text, "The words on the button of the card.")
    }

    static let callButton = BlockForm("A call button") {
        Key(needed: "title", .text, "What the button shows.")
        Key(needed: "number", .text, #"The number to ring, such as "+442079460018"."#)
    }
}
