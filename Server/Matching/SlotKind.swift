/// Built-in entity type of a placeholder `{name:kind}` (fixtures/README.md#what-is-heard). Values are whole tokens.
package enum SlotKind: String, CaseIterable, Hashable, Sendable {
    /// Number such as `4`, `1,000`, `3.5`, `twelve` or `a couple`, captured in digits.
    case number
    /// Day such as `today`, `on Friday` (captured as `Friday`), `next Friday`, `5 May`, `2026-05-05` or `5/5`.
    case day
    /// Time of day, captured as `HH:MM`. Without am or pm, the hour is unchanged: "half past seven" is 07:30.
    case time
    /// One token as written.
    case word
    /// One or more tokens, as few as possible. At an end of the phrase, the placeholder extends to that end of the
    /// message.
    case words
    case email
    /// Telephone number of 7 to 15 digits (ITU-T E.164) with spaces, dots, dashes and parentheses. Captures digits and
    /// a leading plus, without the zero of `+44 (0)20`.
    case phone
    /// Code such as `AB-1234`, captured in upper case: one token of letters, digits, dashes and underscores with at
    /// least one digit; with digits alone, at least four.
    case code
}
