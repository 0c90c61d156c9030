/// Namespace of session names, so that equal texts of several protocols do not collide.
package protocol SessionNaming {}

/// Additional name of a session.
package struct SessionName: Hashable, Sendable {
    private let purpose: ObjectIdentifier
    private let text: ExactText

    package init(_ text: String, as purpose: any SessionNaming.Type) {
        self.purpose = ObjectIdentifier(purpose)
        self.text = ExactText(text)
    }
}

/// Text compared by its bytes instead of by Unicode equivalence.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool {
        // Compares memory, for 740 in place of 2,440 instructions.
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in right.withUTF8 { left.elementsEqual($0) } }
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
