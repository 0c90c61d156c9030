package enum Counted {
    /// Returns `1 row` or `2 rows`. `plural` is only needed for an irregular plural.
    package static func text(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) " + (number == 1 ? noun : plural ?? noun + "s")
    }
}
