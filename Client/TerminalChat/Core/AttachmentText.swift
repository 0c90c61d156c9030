import PolyMessaging
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

enum AttachmentText {
    static func kind(_ attachment: Attachment) -> String {
        switch attachment.contentType {
        case .image: "image"
        case .url: "link"
        case .unknown: "unknown"
        }
    }

    /// Returns the title of a suggestion. A time of a TimePicker, such as `2026-01-30T18:00+01:00`, is shown as
    /// `2026-01-30 18:00 (UTC+01:00)`, but sent unchanged.
    static func title(ofSuggestion text: String) -> String {
        let parts = text.utf8.split(separator: UInt8(ascii: "T"), omittingEmptySubsequences: false).compactMap
        { String($0) }
        guard text.utf8.count == 22, parts.count == 2, parts[1].utf8.count == 11 else {
            return ForeignText.talkLine(text)
        }
        let (time, zone) = (String(parts[1].prefix(5)), String(parts[1].suffix(6)))
        guard TimeStamp.parse(parts[0] + "T" + time + ":00" + zone) != nil else {
            return ForeignText.talkLine(text)
        }
        return "\(parts[0]) \(time) (UTC\(zone.hasSuffix("00:00") ? "" : zone))"
    }

    /// Returns lines such as `[image 1] title url`. Attachments of unknown kinds have no line.
    static func lines(
        _ attachments: [Attachment], _ calls: [ChatCallAction], countingFrom first: Int = 0
    ) -> [String] {
        let shown = attachments.filter { $0.contentType != .unknown }
        return shown.enumerated().map { place, attachment in
            let facts = [attachment.title, attachment.contentUrl.map(address)].compactMap { $0 }
            return ForeignText.talkLine(
                (["[\(kind(attachment)) \(first + place + 1)]"] + facts).joined(separator: " "))
        } + calls.map { ForeignText.talkLine("[call] \($0.title) \($0.contactNumber)") }
    }

    /// Returns the URL; for a `data:` URL, its media type and size in bytes.
    private static func address(_ url: URL) -> String {
        guard let inside = DataAddress(url.absoluteString) else { return url.absoluteString }
        return "(\(inside.type), \(inside.bytes.count) bytes)"
    }
}
