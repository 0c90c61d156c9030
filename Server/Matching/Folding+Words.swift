package import Patterns

extension Folding {
    /// The words of `text`, folded, with one space between two words.
    package static func fold(_ text: String) -> String {
        PreparedMessage(text).folded
    }
}
