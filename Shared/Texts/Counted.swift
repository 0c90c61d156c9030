/// Numbers with their nouns.
package enum Counted {
    /// `1 row`, `2 rows`; `plural` where an "s" does not make it.
    package static func text(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) " + (number == 1 ? noun : plural ?? noun + "s")
    }
}
