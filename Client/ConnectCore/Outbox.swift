/// Own messages and files on their way to the service.
struct Outbox: Sendable {
    struct Text: Equatable, Sendable {
        var persistentID: String
        var contentType: String
        var text: String
        /// The same for all tries: a lost answer never makes two messages.
        var clientToken: String
        var call: ChatCore.Call?
    }

    struct Upload: Equatable, Sendable {
        var file: ChatCore.File
        var clientToken: String
        var call: ChatCore.Call?
        var attachmentID = ""
    }

    /// Texts that wait for their turn; one at a time is under way.
    var queue: [Text] = []
    /// The text that is under way.
    var current: Text?
    /// Texts that were given up, by their persistent ids: for a resend.
    var failed: [String: Text] = [:]
    /// Files, by their rows' persistent ids, from the first byte to the item; those that failed stay for a resend.
    var uploads: [String: Upload] = [:]

    var isEmpty: Bool { queue.isEmpty && current == nil && uploads.isEmpty }

    /// All calls that wait for an end.
    var calls: [ChatCore.Call] {
        (queue + [current].compactMap { $0 }).compactMap(\.call) + uploads.values.compactMap(\.call).sorted()
    }
}
