/// Parts of a message besides its text. `Text` is a template in scripts, a string in messages.
package struct PartsOf<Text: Equatable & Sendable>: Equatable, Sendable {
    package var attachments: [AttachmentOf<Text>]
    package var suggestions: [SuggestionOf<Text>]
    package var calls: [CallOf<Text>]
    /// True tells the client that the conversation is about to end (`end_conversation`).
    package var endsConversation: Bool

    package init(
        attachments: [AttachmentOf<Text>] = [], suggestions: [SuggestionOf<Text>] = [],
        calls: [CallOf<Text>] = [], endsConversation: Bool = false
    ) {
        self.attachments = attachments
        self.suggestions = suggestions
        self.calls = calls
        self.endsConversation = endsConversation
    }

    func map<Other>(_ change: (Text) -> Other) -> PartsOf<Other> {
        PartsOf<Other>(
            attachments: attachments.map { card in
                AttachmentOf<Other>(
                    kind: card.kind, url: change(card.url), preview: card.preview.map(change),
                    title: card.title.map(change), button: card.button.map(change))
            },
            suggestions: suggestions.map { suggestion in
                SuggestionOf<Other>(
                    text: change(suggestion.text), payload: suggestion.payload.map(change),
                    form: suggestion.form.map(change))
            },
            calls: calls.map { CallOf<Other>(title: change($0.title), number: change($0.number)) },
            endsConversation: endsConversation)
    }
}

package enum AttachmentKind: String, CaseIterable, Sendable {
    case link
    case image
    case file
    /// A form that the protocol defines. The attachment's `url` is the name of the form.
    case form
}

package struct AttachmentOf<Text: Equatable & Sendable>: Equatable, Sendable {
    package var kind: AttachmentKind
    package var url: Text
    package var preview: Text?
    package var title: Text?
    package var button: Text?

    package init(
        kind: AttachmentKind, url: Text, preview: Text? = nil, title: Text? = nil, button: Text? = nil
    ) {
        self.kind = kind
        self.url = url
        self.preview = preview
        self.title = title
        self.button = button
    }
}

package struct SuggestionOf<Text: Equatable & Sendable>: Equatable, Sendable {
    package var text: Text
    package var payload: Text?
    package var form: SuggestionForm<Text>

    package init(text: Text, payload: Text? = nil, form: SuggestionForm<Text> = .plain) {
        self.text = text
        self.payload = payload
        self.form = form
    }
}

/// Details of a suggestion. `indirect` saves memory for suggestions without details.
package indirect enum SuggestionForm<Text: Equatable & Sendable>: Equatable, Sendable {
    case plain
    /// A suggestion below a heading.
    case under(Text)
    /// A time slot, such as `2026-01-31T18:00+00:00`.
    case at(Text, minutes: Int)

    func map<Other>(_ change: (Text) -> Other) -> SuggestionForm<Other> {
        switch self {
        case .plain: .plain
        case .under(let heading): .under(change(heading))
        case .at(let time, let minutes): .at(change(time), minutes: minutes)
        }
    }
}

package struct CallOf<Text: Equatable & Sendable>: Equatable, Sendable {
    package var title: Text
    package var number: Text

    package init(title: Text, number: Text) {
        self.title = title
        self.number = number
    }
}

package typealias MessageParts = PartsOf<String>
package typealias Attachment = AttachmentOf<String>
package typealias Suggestion = SuggestionOf<String>
package typealias CallAction = CallOf<String>

package typealias PartTemplates = PartsOf<Template>
package typealias AttachmentTemplate = AttachmentOf<Template>
package typealias SuggestionTemplate = SuggestionOf<Template>
package typealias CallTemplate = CallOf<Template>

extension MessageParts {
    // Declared for this type alone: a generic getter is not specialized for other modules, which cost 3,900 of the
    // 21,600 instructions of a streamed chunk.
    package var isEmpty: Bool {
        attachments.isEmpty && suggestions.isEmpty && calls.isEmpty && !endsConversation
    }
}
