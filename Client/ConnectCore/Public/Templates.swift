/// Decoded content of a message.
public protocol MessageContent {
    /// Decodes `text`; nil if the text has another format.
    static func decode(from text: String) -> (any MessageContent)?
}

/// Content of an interactive message.
public protocol InteractiveContent: MessageContent {
    /// Name of the template on the wire.
    static var templateType: String { get }
}

/// The common part of all interactive messages.
public struct GenericInteractiveTemplate: Decodable, Sendable {
    /// Name of the template on the wire.
    public let templateType: String
}

/// An interactive message on the wire.
public struct InteractiveTemplate<Content: Codable & Sendable>: Codable, Sendable {
    /// Name of the template on the wire.
    public let templateType: String
    /// Version of the template; `1.0` if missing on the wire.
    public let version: String
    /// The content.
    public let data: Content

    /// Decodes a message. If the version is missing, it is `1.0`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        templateType = try members.decode(String.self, forKey: .templateType)
        version = try members.decodeIfPresent(String.self, forKey: .version) ?? "1.0"
        data = try members.decode(Content.self, forKey: .data)
    }
}

/// The data of an interactive message: the content, and the text that replaces the choices after an answer.
public struct InteractiveData<Content: Codable & Sendable>: Codable, Sendable {
    /// Text that is shown instead of the choices after the user has answered.
    public let replyMessage: PanelReplyMessage?
    /// The content.
    public let content: Content
}

/// Texts shown after a choice.
public struct PanelReplyMessage: Codable, Hashable, Sendable {
    /// The title.
    public let title: String?
    /// A line below the title.
    public let subtitle: String?
    /// Type of the image: `URL`.
    public let imageType: String?
    /// The address of an image.
    public let imageData: String?
}

/// One choice.
public struct QuickReplyElement: Codable, Hashable, Sendable {
    /// The heading.
    public let title: String
}

/// Content of a quick reply.
public struct QuickReplyContentData: Codable, Hashable, Sendable {
    /// The heading.
    public let title: String
    /// A line below the heading.
    public let subtitle: String?
    /// The choices.
    public let elements: [QuickReplyElement]
}

/// One entry of a list.
public struct ListPickerElement: Codable, Hashable, Sendable {
    /// The heading.
    public let title: String
    /// A line below the heading.
    public let subtitle: String?
    /// Type of the image: `URL`.
    public let imageType: String?
    /// The address of an image.
    public let imageData: String?
    /// Type of the entry: `action` or `hyperlink`.
    public let type: String?
    /// The target of a hyperlink.
    public let url: String?
}

/// Content of a list picker.
public struct ListPickerContentData: Codable, Hashable, Sendable {
    /// The heading.
    public let title: String
    /// A line below the heading.
    public let subtitle: String?
    /// Type of the image: `URL`.
    public let imageType: String?
    /// The address of an image.
    public let imageData: String?
    /// A description of the image.
    public let imageDescription: String?
    /// The entries.
    public let elements: [ListPickerElement]
}

/// One choice of a panel.
public struct PanelElement: Codable, Hashable, Sendable {
    /// The heading.
    public let title: String
    /// Type of the entry: `action` or `hyperlink`.
    public let type: String?
    /// The target of a hyperlink.
    public let url: String?
}

/// Content of a panel.
public struct PanelContentData: Codable, Hashable, Sendable {
    /// The heading.
    public let title: String
    /// A line below the heading.
    public let subtitle: String?
    /// Type of the image: `URL`.
    public let imageType: String?
    /// The address of an image.
    public let imageData: String?
    /// A description of the image.
    public let imageDescription: String?
    /// The choices.
    public let elements: [PanelElement]
}

/// A time slot that the user can choose.
public struct TimeSlot: Codable, Hashable, Sendable {
    /// The start time in ISO 8601, such as `2026-01-31T18:00+00:00`.
    public let date: String
    /// Length in minutes.
    public let duration: Int
}

/// Location of an appointment.
public struct Location: Codable, Hashable, Sendable {
    /// Latitude in degrees.
    public let latitude: Double
    /// Longitude in degrees.
    public let longitude: Double
    /// Name of the location.
    public let title: String
    /// Radius in metres.
    public let radius: Int?
}

/// Content of a time picker.
public struct TimePickerContentData: Codable, Hashable, Sendable {
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
}

/// One element of a carousel.
public struct CarouselElement: Codable, Sendable {
    /// Id of the template; empty if missing on the wire.
    public let templateIdentifier: String
    /// `Panel` or `ListPicker`.
    public let templateType: String
    /// Version of the template; `1.0` if missing on the wire.
    public let version: String
    /// The content.
    public let data: PanelData

    /// Decodes an element. If the id is missing, it is empty; if the version is missing, it is `1.0`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        templateIdentifier = try members.decodeIfPresent(String.self, forKey: .templateIdentifier) ?? ""
        templateType = try members.decode(String.self, forKey: .templateType)
        version = try members.decodeIfPresent(String.self, forKey: .version) ?? "1.0"
        data = try members.decode(PanelData.self, forKey: .data)
    }
}

/// Content of a carousel: panels shown side by side.
public struct CarouselContentData: Codable, Sendable {
    /// The heading.
    public let title: String
    /// The panels.
    public let elements: [CarouselElement]
}

/// Data of a QuickReply.
public typealias QuickReplyData = InteractiveData<QuickReplyContentData>
/// A QuickReply on the wire.
public typealias QuickReplyTemplate = InteractiveTemplate<QuickReplyData>
/// Data of a ListPicker.
public typealias ListPickerData = InteractiveData<ListPickerContentData>
/// A ListPicker on the wire.
public typealias ListPickerTemplate = InteractiveTemplate<ListPickerData>
/// Data of a Panel.
public typealias PanelData = InteractiveData<PanelContentData>
/// A Panel on the wire.
public typealias PanelTemplate = InteractiveTemplate<PanelData>
/// Data of a TimePicker.
public typealias TimePickerData = InteractiveData<TimePickerContentData>
/// A TimePicker on the wire.
public typealias TimePickerTemplate = InteractiveTemplate<TimePickerData>
/// Data of a Carousel.
public typealias CarouselData = InteractiveData<CarouselContentData>
/// A Carousel on the wire.
public typealias CarouselTemplate = InteractiveTemplate<CarouselData>
/// Texts shown after a time was chosen.
public typealias TimePickerReplyMessage = PanelReplyMessage
