// This file was type-checked only: it has never run on an Apple device.
#if canImport(Combine)
    import ChatPresentation
    import Foundation

    extension MessageText {
        /// Returns inline elements as an attributed string with styles and links, for `Text` and `UITextView`.
        static func attributed(_ inlines: [Inline], _ style: InlinePresentationIntent = [])
            -> AttributedString
        {
            inlines.reduce(into: AttributedString()) { text, inline in
                switch inline {
                case .text(let words): text += piece(words, style)
                case .code(let code): text += piece(code, style.union(.code))
                case .strong(let inner): text += attributed(inner, style.union(.stronglyEmphasized))
                case .emphasis(let inner): text += attributed(inner, style.union(.emphasized))
                case .link(let address, let inner):
                    var link = attributed(inner, style)
                    link.link = URL(string: address)
                    text += link
                }
            }
        }

        /// Returns all blocks of a message as one attributed string, for views that do not lay out single blocks.
        static func attributed(_ blocks: [Block]) -> AttributedString {
            var lines: [AttributedString] = []
            for block in blocks {
                switch block {
                case .paragraph(let inlines): lines.append(attributed(inlines))
                case .code(let code, _): lines.append(piece(code, .code))
                case .list(let list): lines += self.lines(list, indent: "")
                }
            }
            return lines.dropFirst().reduce(lines.first ?? AttributedString()) {
                $0 + AttributedString("\n") + $1
            }
        }

        private static func lines(_ list: List, indent: String) -> [AttributedString] {
            list.items.enumerated().flatMap { index, item in
                let mark = list.start.map { "\($0 + index). " } ?? "• "
                let line = AttributedString(indent + mark) + attributed(item.text)
                return [line] + (item.inner.map { lines($0, indent: indent + "    ") } ?? [])
            }
        }

        private static func piece(_ words: String, _ style: InlinePresentationIntent) -> AttributedString {
            var piece = AttributedString(words)
            if !style.isEmpty { piece.inlinePresentationIntent = style }
            return piece
        }
    }
#endif
