/// Own messages and files on their way to the service.
struct Outbox: Sendable {
    struct Text: Equatable, Sendable {
        var persistentID: String
        var contentType: String
        var text: String
        /// Idempotency token shared by all tries: a lost answer never makes two messages.
        var clientToken: String
        var call: ChatCore.Call?
        /// An earlier try may have been carried out.
        var isUncertain = false
    }

    struct Upload: Equatable, Sendable {
        var file: ChatCore.File
        var clientToken: String
        var call: ChatCore.Call?
        var attachmentID = ""
    }

    /// Texts that wait for their turn; one at a time is under way.
    private var queue: [Text] = []
    private var head = 0
    var current: Text?
    /// Texts that were given up, by their persistent ids: for a resend.
    var failed: [String: Text] = [:]
    /// Files, by their rows' persistent ids, from the first byte to the item; those that failed stay for a resend.
    var uploads: [String: Upload] = [:]

    var isEmpty: Bool { head == queue.count && current == nil && uploads.isEmpty }

    mutating func add(_ text: Text) { queue.append(text) }

    mutating func next() -> Text? {
        guard head < queue.count else { return nil }
        defer {
            head += 1
            if head > queue.count / 2 {
                queue.removeFirst(head)
                head = 0
            }
        }
        return queue[head]
    }

    /// Texts without an answer, oldest first.
    var texts: [Text] { [current].compactMap { $0 } + queue[head...] }

    /// For a resend.
    mutating func keep(_ texts: [Text]) {
        for var text in texts {
            text.call = nil
            failed[text.persistentID] = text
        }
    }

    /// Forgets what was not given up.
    mutating func dropAll() {
        (queue, head, current, uploads) = ([], 0, nil, [:])
    }

    var calls: [ChatCore.Call] {
        texts.compactMap(\.call) + uploads.values.compactMap(\.call).sorted()
    }
}
