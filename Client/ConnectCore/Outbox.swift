struct Outbox: Sendable {
    struct Text: Equatable, Sendable {
        var persistentID: String
        var contentType: String
        var text: String
        /// Idempotency token of all attempts.
        var clientToken: String
        var call: ChatCore.Call?
        /// Whether the service may have executed an earlier attempt.
        var isUncertain = false
    }

    struct Upload: Equatable, Sendable {
        var file: ChatCore.File
        var clientToken: String
        var call: ChatCore.Call?
        var attachmentID = ""
    }

    private var queue: [Text] = []
    private var head = 0
    var current: Text?
    var failed: [String: Text] = [:]
    /// Running and failed uploads by the persistent ids of their rows.
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

    var texts: [Text] { [current].compactMap { $0 } + queue[head...] }

    mutating func keep(_ texts: [Text]) {
        for var text in texts {
            text.call = nil
            failed[text.persistentID] = text
        }
    }

    mutating func dropAll() {
        (queue, head, current, uploads) = ([], 0, nil, [:])
    }

    var calls: [ChatCore.Call] {
        texts.compactMap(\.call) + uploads.values.compactMap(\.call).sorted()
    }
}
