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

    /// Returns the URL. For a `data:` URL: its media type and size.
    private static func address(_ url: URL) -> String {
        guard let inside = DataAddress(url.absoluteString) else { return url.absoluteString }
        return "(\(inside.type), \(inside.bytes.count) bytes)"
    }
}
