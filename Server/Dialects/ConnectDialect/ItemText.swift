import ConversationEngine
import Texts

/// A reply converted to messages and files of Amazon Connect chat.
struct ItemText {
    /// Maximum bytes of one message.
    static let messageBytes = 16_384
    /// Maximum characters of a title, and of a quick reply, in the public widget.
    static let titleLength = 400
    static let replyLength = 200

    private(set) var contents: [Item.Content] = []
    private(set) var files: [ScriptFile] = []
    private(set) var slots: [String: String] = [:]

    init(_ text: String, _ parts: MessageParts, takes types: Set<ContentType>, settings: ConnectOptions) {
        let isRich = types.contains(.interactive)
        var text = text
        var cards: [String] = []
        for attachment in parts.attachments {
            switch attachment.kind {
            case .image, .file: files.append(ScriptFile(attachment))
            case .link where isRich: cards.append(Interactive.link(attachment))
            case .link: text.append(line: Self.link(attachment, isMarkdown: types.contains(.markdown)))
            case .form: if isRich { cards.append(Interactive.form(attachment.url, settings.views)) }
            }
        }
        for call in parts.calls {
            if isRich {
                cards.append(Interactive.call(call))
            } else {
                text.append(line: "\(call.title): \(call.number)")
            }
        }
        let choices = isRich && settings.suggestions != .text ? Interactive.Choices(parts.suggestions) : nil
        if let choices {
            let isOne = settings.suggestions == .inline && !text.isEmpty && text.count <= Self.titleLength
            cards.insert(choices.message(title: isOne ? text : "Please choose"), at: 0)
            if isOne { text = "" }
            slots = choices.slots
        } else {
            for choice in parts.suggestions { text.append(line: "- \(choice.text)") }
        }
        let type = types.contains(.markdown) ? ContentType.markdown : .plain
        contents = Self.pieces(of: text).map { .message(type, $0) }
        contents += cards.map { .message(.interactive, $0) }
    }

    private static func link(_ card: Attachment, isMarkdown: Bool) -> String {
        guard let title = card.title ?? card.button, !title.isEmpty else { return card.url }
        return isMarkdown ? "[\(title)](\(card.url))" : "\(title): \(card.url)"
    }

    /// Splits a text into messages of at most ``messageBytes``, between characters.
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

enum Interactive {
    /// A reply's suggestions in the form that their template needs: time picker, carousel or list.
    enum Choices {
        case times([(time: String, minutes: Int, text: String)])
        case groups([(heading: String, texts: [String])])
        case list([String])

        init?(_ suggestions: [Suggestion]) {
            let texts = suggestions.map(\.text)
            guard texts.allSatisfy({ $0.count <= ItemText.replyLength }) else { return nil }
            var times: [(time: String, minutes: Int, text: String)] = []
            var groups: [(heading: String, texts: [String])] = []
            for suggestion in suggestions {
                switch suggestion.form {
                case .plain: break
                case .at(let time, let minutes): times.append((time, minutes, suggestion.text))
                case .under(let heading):
                    let place = groups.firstIndex { $0.heading == heading } ?? groups.count
                    if place == groups.count { groups.append((heading, [])) }
                    groups[place].texts.append(suggestion.text)
                }
            }
            let grouped = groups.reduce(0) { $0 + $1.texts.count }
            if 1...40 ~= times.count, times.count == texts.count {
                self = .times(times)
            } else if 2...5 ~= groups.count, grouped == texts.count,
                groups.allSatisfy({ $0.texts.count <= 10 })
            {
                self = .groups(groups)
            } else if 2...10 ~= texts.count {
                self = .list(texts)
            } else {
                return nil
            }
        }

        /// Labels of the time slots, by time.
        var slots: [String: String] {
            guard case .times(let times) = self else { return [:] }
            return Dictionary(times.map { ($0.time, $0.text) }) { first, _ in first }
        }

        func message(title: String) -> String {
            switch self {
            case .times(let times):
                let slots = times.map {
                    JSONValue.object(["date": .string($0.time), "duration": .integer(Int64($0.minutes))])
                }
                return Interactive.message(
                    "TimePicker", ["title": .string(title), "timeslots": .array(slots)])
            case .groups(let groups):
                let panels = groups.enumerated().map { index, group -> JSONObject in
                    [
                        "templateType": .string("Panel"), "version": .string("1.0"),
                        "templateIdentifier": .string("panel-\(index + 1)"),
                        "data": .object([
                            "content": .object([
                                "title": .string(group.heading),
                                "elements": .array(group.texts.map { .object(["title": .string($0)]) }),
                            ])
                        ]),
                    ]
                }
                return Interactive.message("Carousel", title: title, panels)
            case .list(let texts):
                let template = texts.count <= 5 ? "QuickReply" : texts.count == 6 ? "ListPicker" : "Panel"
                return Interactive.message(template, title: title, texts.map { ["title": .string($0)] })
            }
        }
    }

    static func form(_ token: String, _ views: JSONValue) -> String {
        let id = views[token]?["Id"]?.string ?? token
        return message(
            "ViewResource", ["viewId": .string(id), "viewToken": .string(token), "viewData": .object([:])])
    }

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
            [["title": .string(call.number), "type": .string("hyperlink"), "url": .string("tel:\(number)")]])
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
        return message(template, content)
    }

    private static func message(_ template: String, _ content: JSONObject) -> String {
        JSONWriter.line([
            ("templateType", .string(template)), ("version", .string("1.0")),
            ("data", .object(["content": .object(content)])),
        ])
    }

    /// Returns the text and the form fields of an answer to an interactive message.
    static func answer(_ text: String, _ type: ContentType) -> (words: String, data: String?) {
        guard type == .response || text.hasPrefix("{"),
            case .object(let object)? = try? JSONReader.read(Array(text.utf8))
        else { return (text, nil) }
        if let selection = object["selectionText"]?.string { return (selection, nil) }
        guard type == .response, let action = object["action"]?.string else { return (text, nil) }
        return (action, object["data"].map { JSONWriter.line([("data", $0)]) })
    }
}

/// A scripted file, with the bytes of its `data:` URL. For other URLs, a grey square: the server downloads nothing.
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

    private static let square =
        Base64.standard.decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
                .utf8)
        ?? []
}
