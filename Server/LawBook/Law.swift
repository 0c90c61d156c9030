/// One rule of the protocol that a correct client never breaks and that the server can see broken.
package struct Law: Sendable, Equatable {
    /// Stable: files and tests name laws by it.
    package var id: String
    /// What a good client does, in a few words.
    package var title: String
    /// The statement it rests on: `protocol.md#` and an anchor of `Shared/Docs/protocol.md`.
    package var source: String
    /// One sentence: how to mend the client.
    package var advice: String

    package init(id: String, title: String, source: String, advice: String) {
        self.id = id
        self.title = title
        self.source = source
        self.advice = advice
    }
}
