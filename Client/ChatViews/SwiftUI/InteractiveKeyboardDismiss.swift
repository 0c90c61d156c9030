// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    public import SwiftUI

    /// Modifier that dismisses the keyboard when the user scrolls the rows. On iOS 15, the keyboard stays.
    public struct InteractiveKeyboardDismiss: ViewModifier {
        /// Makes the modifier.
        public init() {}

        /// Returns the scroll view, from iOS 16 on with `scrollDismissesKeyboard`.
        public func body(content: Content) -> some View {
            if #available(iOS 16, macOS 13, *) {
                content.scrollDismissesKeyboard(.interactively)
            } else {
                content
            }
        }
    }
#endif
