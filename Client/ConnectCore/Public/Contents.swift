import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Text of a message that is not interactive.
public struct PlainTextContent: MessageContent, Sendable {
    /// The text.
    public let text: String

    /// Makes content from text.
    public init(text: String) {
        self.text = text
    }

    /// Accepts any text.
    public static func decode(from text: String) -> (any MessageContent)? { PlainTextContent(text: text) }
}

/// A quick reply: a few choices.
public struct QuickReplyContent: InteractiveContent, Sendable {
    /// `QuickReply`
    public static let templateType = "QuickReply"

    /// The heading.
    public let title: String
    /// A line below the heading.
    public let subtitle: String?
    /// The choices.
    public let options: [String]

    /// Decodes `text`; nil if the text has another format.
    public static func decode(from text: String) -> (any MessageContent)? {
        guard let shown = template(QuickReplyTemplate.self, text)?.data.content else { return nil }
        return QuickReplyContent(
            title: shown.title, subtitle: shown.subtitle, options: shown.elements.map(\.title))
    }
}

/// A list picker: entries to choose from.
public struct ListPickerContent: InteractiveContent, Sendable {
    /// `ListPicker`
    public static let templateType = "ListPicker"

    /// The heading.
    public let title: String
    /// A line below the heading.
    public let subtitle: String?
    /// The address of an image.
    public let imageUrl: String?
    /// A description of the image.
    public let imageDescription: String?
    /// The entries.
    public let options: [ListPickerElement]

    /// Decodes `text`; nil if the text has another format.
    public static func decode(from text: String) -> (any MessageContent)? {
        guard let shown = template(ListPickerTemplate.self, text)?.data.content else { return nil }
        return ListPickerContent(
            title: shown.title, subtitle: shown.subtitle, imageUrl: shown.imageData,
            imageDescription: shown.imageDescription, options: shown.elements)
    }
}

/// A panel: choices below an image.
public struct PanelContent: InteractiveContent, Sendable {
    /// `Panel`
    public static let templateType = "Panel"

    /// The heading.
    public let title: String
    /// A line below the heading.
    public let subtitle: String?
    /// The address of an image.
    public let imageUrl: String?
    /// A description of the image.
    public let imageDescription: String?
    /// The choices.
    public let options: [PanelElement]

    /// Decodes `text`; nil if the text has another format.
    public static func decode(from text: String) -> (any MessageContent)? {
        guard let shown = template(PanelTemplate.self, text)?.data.content else { return nil }
        return PanelContent(
            title: shown.title, subtitle: shown.subtitle, imageUrl: shown.imageData,
            imageDescription: shown.imageDescription, options: shown.elements)
    }
}

/// A time picker: times to choose from.
public struct TimePickerContent: InteractiveContent, Sendable {
    /// `TimePicker`
    public static let templateType = "TimePicker"

    /// The heading.
    public let title: String
    /// A line below the heading.
    public let subtitle: String?
    /// Minutes east of UTC.
    public let timeZoneOffset: Int?
    /// The location.
    public let location: Location?
    /// The times.
    public let timeslots: [TimeSlot]

    /// Decodes `text`; nil if the text has another format.
    public static func decode(from text: String) -> (any MessageContent)? {
        guard let shown = template(TimePickerTemplate.self, text)?.data.content else { return nil }
        return TimePickerContent(
            title: shown.title, subtitle: shown.subtitle, timeZoneOffset: shown.timeZoneOffset,
            location: shown.location, timeslots: shown.timeslots)
    }
}

/// A carousel: panels side by side.
public struct CarouselContent: InteractiveContent, Sendable {
    /// `Carousel`
    public static let templateType = "Carousel"

    /// The heading.
    public let title: String
    /// The panels.
    public let elements: [CarouselElement]

    /// Decodes `text`; nil if the text has another format.
    public static func decode(from text: String) -> (any MessageContent)? {
        guard let shown = template(CarouselTemplate.self, text)?.data.content else { return nil }
        return CarouselContent(
            title: shown.title, elements: shown.elements)
    }
}

/// Content of a view message: a form or a guide. `describeView` returns the layout of the view.
public struct ViewResourceContent: InteractiveContent {
    /// `ViewResource`
    public static let templateType = Constants.VIEW_RESOURCE

    /// The view's id.
    public let viewId: String?
    /// The content's members, such as `viewToken`.
    public let content: [String: Any]?

    /// Decodes `text`; nil if the text has another format.
    public static func decode(from text: String) -> (any MessageContent)? {
        guard let value = try? JSONReader.read(Array(text.utf8), manner: .lenient), let data = value["data"]
        else { return nil }
        let content = data["content"]
        return ViewResourceContent(viewId: content?["viewId"]?.string, content: content?.dictionary)
    }
}

extension InteractiveContent {
    static func template<Template: Decodable>(_ type: Template.Type, _ text: String) -> Template? {
        // The text is decoded and encoded again, because Foundation's decoder rejects lone surrogates.
        guard let value = try? JSONReader.read(Array(text.utf8), manner: .lenient) else { return nil }
        let bytes = Data(JSONWriter.bytes(value))
        guard let kind = try? JSONDecoder().decode(GenericInteractiveTemplate.self, from: bytes),
            kind.templateType == templateType
        else { return nil }
        return try? JSONDecoder().decode(Template.self, from: bytes)
    }
}

enum ContentDecoder {
    private static var kinds: [any InteractiveContent.Type] {
        [
            QuickReplyContent.self, ListPickerContent.self, PanelContent.self, TimePickerContent.self,
            CarouselContent.self, ViewResourceContent.self,
        ]
    }

    static func content(_ text: String, _ contentType: String) -> (any MessageContent)? {
        guard contentType == ContentType.interactiveText.rawValue else {
            return PlainTextContent(text: text)
        }
        let name = (try? JSONReader.read(Array(text.utf8), manner: .lenient))?["templateType"]?.string
        let content = kinds.first { $0.templateType == name }?.decode(from: text)
        if content == nil { SDKLogger.log(.info, "An interactive message has an unknown form.") }
        return content
    }
}

extension JSONValue {
    /// The value in the types of Foundation's `JSONSerialization`; nil for `null`.
    var any: Any? {
        switch self {
        case .null: nil
        case .bool(let flag): flag
        case .integer(let number): Int(number)
        case .double(let number): number
        case .string(let text): text
        case .array(let elements): elements.compactMap(\.any)
        case .object: dictionary
        }
    }

    var dictionary: [String: Any]? {
        guard let object else { return nil }
        var result: [String: Any] = [:]
        for member in object.members { result[member.name] = member.value.any }
        return result
    }
}
