import ConversationEngine
import Texts

/// A reply as this protocol tells it: one or several messages, and files.
struct Speech {
    /// Bytes of one message.
    static let messageBytes = 16_384
    /// Characters of a title, and of a quick reply, that the public widget shows.
    static let titleLength = 400
    static let replyLength = 200

    private(set) var contents: [Item.Content] = []
    private(set) var files: [ScriptFile] = []

    init(
        _ text: String, _ parts: MessageParts, takes types: Set<ContentType>,
        suggestions form: ConnectOptions.Suggestions
    ) {
        let isRich = types.contains(.interactive)
        var text = text
        var cards: [String] = []
        for attachment in parts.attachments {
            if attachment.kind != .link {
                files.append(ScriptFile(attachment))
            } else if isRich {
                cards.append(Interactive.link(attachment))
            } else {
                text.append(line: Self.link(attachment, isMarkdown: types.contains(.markdown)))
            }
        }
        for call in parts.calls {
            if isRich {
                cards.append(Interactive.call(call))
            } else {
                text.append(line: "\(call.title): \(call.number)")
            }
        }
        let choices = parts.suggestions.map(\.text)
        let fits = 2...10 ~= choices.count && choices.allSatisfy { $0.count <= Self.replyLength }
        if !choices.isEmpty, isRich, fits, form != .text {
            let isOne = form == .inline && !text.isEmpty && text.count <= Self.titleLength
            let title = isOne ? text : "Please choose"
            if isOne { text = "" }
            cards.insert(Interactive.choices(title: title, choices), at: 0)
        } else {
            for choice in choices { text.append(line: "- \(choice)") }
        }
        let type = types.contains(.markdown) ? ContentType.markdown : .plain
        contents = Self.pieces(of: text).map { .message(type, $0) }
        contents += cards.map { .message(.interactive, $0) }
    }

    private static func link(_ card: Attachment, isMarkdown: Bool) -> String {
        guard let title = card.title ?? card.button, !title.isEmpty else { return card.url }
        return isMarkdown ? "[\(title)](\(card.url))" : "\(title): \(card.url)"
    }

    /// A text in messages that are no longer than one may be; a character is never cut.
    static func pieces(of text: String) -> [String] {
        guard text.utf8.count > messageBytes else { return text.isEmpty ? [] : [text] }
        var pieces: [String] = []
        var piece = ""
        var count = 0
        for character in text {
            let size = character.utf8.count
            if count + size > messageBytes, count > 0 {
                pieces.append(piece)
                (piece, count) = ("", 0)
            }
            piece.append(character)
            count += size
        }
        return pieces + [piece]
    }
}

extension String {
    fileprivate mutating func append(line: String) { self += isEmpty ? line : "\n" + line }
}

/// Interactive messages: the JSON text that is their content.
enum Interactive {
    /// Two to five short ones are quick replies, six a list, more a panel.
    static func choices(title: String, _ texts: [String]) -> String {
        let template = texts.count <= 5 ? "QuickReply" : texts.count == 6 ? "ListPicker" : "Panel"
        return message(template, title: title, texts.map { ["title": .string($0)] })
    }

    /// A card that leads somewhere.
    static func link(_ card: Attachment) -> String {
        let title = card.title ?? card.url
        var content: JSONObject = ["title": .string(title)]
        if let preview = card.preview {
            content.members += [
                JSONObject.Member("imageType", .string("URL")),
                JSONObject.Member("imageData", .string(preview)),
            ]
        }
        let element: JSONObject = [
            "title": .string(card.button ?? title), "type": .string("hyperlink"), "url": .string(card.url),
        ]
        return message("ListPicker", content, [element])
    }

    static func call(_ call: CallAction) -> String {
        let number = call.number.filter { $0 != " " }
        return message(
            "Panel", title: call.title,
            [
                [
                    "title": .string(call.number), "type": .string("hyperlink"),
                    "url": .string("tel:\(number)"),
                ]
            ])
    }

    static func survey(title: String, question: String) -> String {
        message(
            "ListPicker", ["title": .string(title), "subtitle": .string(question)],
            (1...5).map { ["title": .string("\($0)")] })
    }

    private static func message(_ template: String, title: String, _ elements: [JSONObject]) -> String {
        message(template, ["title": .string(title)], elements)
    }

    private static func message(
        _ template: String, _ content: JSONObject, _ elements: [JSONObject]
    ) -> String {
        var content = content
        content.members.append(JSONObject.Member("elements", .array(elements.map { .object($0) })))
        return JSONWriter.line([
            ("templateType", .string(template)), ("version", .string("1.0")),
            ("data", .object(["content": .object(content)])),
        ])
    }

    /// What a customer's answer to an interactive message means: the words, and what was filled in.
    static func answer(_ text: String, _ type: ContentType) -> (words: String, data: String?) {
        guard type == .response || text.hasPrefix("{"),
            case .object(let object)? = try? JSONReader.read(Array(text.utf8))
        else { return (text, nil) }
        if let selection = object["selectionText"]?.string { return (selection, nil) }
        guard type == .response, let action = object["action"]?.string else { return (text, nil) }
        return (action, object["data"].map { JSONWriter.line([("data", $0)]) })
    }
}

/// A file or an image of the script, with its bytes: those of a `data:` address, else a generated square. The server
/// fetches nothing.
struct ScriptFile {
    let name: String
    let type: String
    let bytes: [UInt8]

    init(_ attachment: Attachment) {
        let title = attachment.title ?? attachment.preview ?? ""
        if let data = DataAddress(attachment.url) {
            (type, bytes) = (data.type, data.bytes)
            let ending = type.drop { $0 != "/" }.dropFirst().prefix { $0 != "+" }
            name =
                attachment.kind == .file
                ? Self.name(title)
                : title.isEmpty ? "image.\(ending)" : Self.name(title, String(ending))
            return
        }
        let last = attachment.url.split(separator: "/").last.map { String($0.prefix { $0 != "?" }) } ?? ""
        type = "image/png"
        bytes = Self.square
        name = last.hasSuffix(".png") ? last : Self.name(title.isEmpty ? "image" : title, "png")
    }

    private static func name(_ title: String, _ ending: String) -> String { name(title) + "." + ending }

    private static func name(_ title: String) -> String {
        String(
            title.unicodeScalars.filter { $0.value >= 0x20 && $0 != "/" && $0 != "\"" }.prefix(200).map(
                Character.init))
    }

    /// One grey pixel as PNG.
    private static let square =
        Base64.standard.decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
                .utf8)
        ?? []
}
