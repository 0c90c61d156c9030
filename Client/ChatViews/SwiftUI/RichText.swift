// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    public import SwiftUI

    /// Formatted text of a message: paragraphs, lists and code. The system opens its links.
    public struct RichText: View {
        private let blocks: [MessageText.Block]
        @SwiftUI.Environment(\.chatTextStyle) private var style

        /// Makes the view of a text with Markdown.
        public init(_ text: String) {
            blocks = MessageText.parse(text, isOpen: true)
        }

        init(blocks: [MessageText.Block]) {
            self.blocks = blocks
        }

        /// The blocks of the text, or the text of the app's own style.
        public var body: some View {
            if let text = style.text(blocks) {
                Text(text)
            } else {
                VStack(alignment: .leading, spacing: 6) {
                    ForEach(Array(blocks.enumerated()), id: \.offset) { _, block in
                        switch block {
                        case .paragraph(let inlines): Text(MessageText.attributed(inlines))
                        case .code(let code, _): ScrollView(.horizontal) { Text(code).font(.code) }
                        case .list(let list): items(list, indent: 0)
                        }
                    }
                }
            }
        }

        private func items(_ list: MessageText.List, indent: Double) -> AnyView {
            AnyView(
                ForEach(Array(list.items.enumerated()), id: \.offset) { index, item in
                    HStack(alignment: .top, spacing: 6) {
                        Text(list.start.map { "\($0 + index)." } ?? "•")
                        VStack(alignment: .leading, spacing: 2) {
                            Text(MessageText.attributed(item.text))
                            if let inner = item.inner { items(inner, indent: indent + 16) }
                        }
                    }
                    .padding(.leading, indent)
                })
        }
    }

    extension Font {
        fileprivate static let code = Font.system(.body, design: .monospaced)
    }
#endif
