/// Formatter of numbers with their nouns.
package enum Counted {
    /// Returns a number with its noun: `1 row`, `2 rows`. `plural` is for irregular plurals.
    package static func text(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) " + (number == 1 ? noun : plural ?? noun + "s")
    }
}
