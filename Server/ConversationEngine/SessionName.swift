/// The purpose of a session's further name: a type of its own for each protocol and use, so that a text which a client chose
/// never equals one that was made for another use.
package protocol SessionNaming {}

/// Alias of a session.
package struct SessionName: Hashable, Sendable {
    private let purpose: ObjectIdentifier
    private let text: ExactText

    package init(_ text: String, as purpose: any SessionNaming.Type) {
        self.purpose = ObjectIdentifier(purpose)
        self.text = ExactText(text)
    }
}

/// A text that equals no other one, also not one of the same letters in another form of Unicode.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
