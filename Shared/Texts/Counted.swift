/// Formatter of numbers with their nouns.
package enum Counted {
    /// Returns a number with its noun, as in `1 row` or `2 rows`. `plural` is only needed if the plural is irregular.
    package static func text(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) " + (number == 1 ? noun : plural ?? noun + "s")
    }
}
