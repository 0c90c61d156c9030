/// Built-in entity type of a placeholder `{name:kind}` (fixtures/README.md#what-is-heard). Values are whole tokens.
package enum SlotKind: String, CaseIterable, Hashable, Sendable {
    /// Number such as `4`, `1,000`, `3.5`, `twelve` or `a couple`, captured in digits. A comma before exactly three
    /// digits separates thousands; any other comma is a decimal comma.
    case number
    /// Day such as `today`, `on Friday` (captured as `Friday`), `next Friday`, `5 May`, `2026-05-05` or `5/5`. Names
    /// are captured in full and with a capital letter. Dates in digits are captured as written.
    case day
    /// Time of day, captured as `HH:MM`. If the user says neither am nor pm, the hour is not changed: "half past seven"
    /// is 07:30. A number alone (`7`, `seven`, `1930`) is a time only if the phrase has a word such as "at" before the
    /// placeholder: `at {time:time}`.
    case time
    /// One token as written.
    case word
    /// One or more tokens as written, as few as possible. At the start of a phrase, the placeholder begins at the start
    /// of the message. At the end of a phrase, it extends to the end of the message.
    case words
    case email
    /// Telephone number of 7 to 15 digits (ITU-T E.164). It may contain spaces, dots, dashes and parentheses. Only the
    /// digits and a leading plus are captured. The zero in `+44 (0)20` is omitted.
    case phone
    /// Code such as `AB-1234`, captured in upper case. A code consists of letters and digits, of digits and dashes, or
    /// of at least four digits.
    case code
}
