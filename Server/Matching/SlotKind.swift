/// Built-in entity type of a placeholder `{name:kind}` (fixtures/README.md#what-is-heard). Values are whole tokens.
package enum SlotKind: String, CaseIterable, Hashable, Sendable {
    /// Number such as `4`, `1,000`, `3.5`, `twelve` or `a couple`, captured in digits. A comma before exactly three
    /// digits groups them; any other comma is a decimal one.
    case number
    /// Day such as `today`, `on Friday` (captured as `Friday`), `next Friday`, `5 May`, `2026-05-05` or `5/5`. Names
    /// are captured in full with a capital, dates in digits as written.
    case day
    /// Time of day, captured as `HH:MM`. Without am or pm the hour stays as said: "half past seven" is 07:30. A bare
    /// number (`7`, `seven`, `1930`) counts only after a word such as "at" in the phrase, as in `at {time:time}`.
    case time
    /// One token as written.
    case word
    /// One or more tokens as written, as few as the rest of the phrase allows. At the beginning of a phrase they begin
    /// with the message, and at its end they end with the message.
    case words
    case email
    /// Telephone number of 7 to 15 digits (ITU-T E.164) with spaces, dots, dashes and parentheses, captured as digits
    /// with a leading plus. The zero in `+44 (0)20` is omitted.
    case phone
    /// Letters with digits, digits with dashes, or at least four digits: `AB-1234`. Captured in upper case.
    case code
}
