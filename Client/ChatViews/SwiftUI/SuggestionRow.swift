// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    public import SwiftUI

    /// Row of suggested replies, scrolled horizontally. Empty if there are none.
    public struct SuggestionRow: View {
        private let rows: [RowSuggestion]
        private let choose: @MainActor (RowSuggestion) -> Void
        @SwiftUI.Environment(\.chatTheme) private var theme
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes a row of texts. `onTap` receives the chosen text.
        public init(suggestions: [String], onTap: @escaping @MainActor (String) -> Void) {
            rows = suggestions.map { RowSuggestion(text: $0) }
            choose = { onTap($0.text) }
        }

        init(rows: [RowSuggestion], onTap: @escaping @MainActor (RowSuggestion) -> Void) {
            (self.rows, choose) = (rows, onTap)
        }

        /// One button for each reply.
        public var body: some View {
            ScrollView(.horizontal, showsIndicators: false) {
                HStack(spacing: 8) {
                    ForEach(Array(rows.enumerated()), id: \.offset) { _, row in
                        Button(row.title { strings.time($0) }) { choose(row) }
                            .padding(8).background(theme.suggestion).cornerRadius(theme.cornerRadius)
                    }
                }
            }
            .accessibilityLabel(strings.say("suggestions.label"))
        }
    }
#endif
