import PolyMessaging
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Attachments and call buttons as text: `[image 1] title url`.
enum AttachmentText {
    static func kind(_ attachment: Attachment) -> String {
        switch attachment.contentType {
        case .image: "image"
        case .url: "link"
        case .unknown: "unknown"
        }
    }

    /// Attachments of unknown kinds are not shown.
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

    /// The address; of an embedded picture type and size, as nobody can read the rest.
    private static func address(_ url: URL) -> String {
        guard let inside = DataAddress(url.absoluteString) else { return url.absoluteString }
        return "(\(inside.type), \(inside.bytes.count) bytes)"
    }
}
