// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    import SwiftUI

    /// Suggested replies; empty if there are none.
    struct SuggestionRow: View {
        let suggestions: [RowSuggestion]
        let onTap: (RowSuggestion) -> Void

        var body: some View {
            ScrollView(.horizontal, showsIndicators: false) {
                HStack(spacing: 8) {
                    ForEach(Array(suggestions.enumerated()), id: \.offset) { _, suggestion in
                        Button(suggestion.text) { onTap(suggestion) }
                            .padding(8).background(Color.accentColor.opacity(0.12)).cornerRadius(16)
                    }
                }
            }
        }
    }
#endif
