/// Entity type of a placeholder `{name:kind}` (fixtures/README.md#what-is-heard). Every kind takes whole
/// tokens. A fixture may declare others (``OwnKind``).
package enum SlotKind: String, CaseIterable, Hashable, Sendable {
    /// `4`, `1,000`, `3.5`, `twelve`, `a couple`; captured in digits. A comma before exactly three digits
    /// groups, any other comma is a decimal one.
    case number
    /// A weekday, `today`, `on Friday` (captured as `Friday`), `next Friday`, `5 May`, `2026-05-05`, `5/5`. Weekdays and months are captured in
    /// full and with a capital; dates in digits as they were written.
    case day
    /// Captured as `HH:MM`. Without am or pm the hour is taken as it stands: "half past seven" is 07:30. A
    /// bare number (`7`, `seven`, `1930`) is a time only if the phrase has a word such as "at" directly
    /// before the placeholder, as in `at {time:time}`.
    case time
    /// One token as written.
    case word
    /// One or more tokens as written: as few as the rest of the phrase allows, to the end if it is last, from the first
    /// token if it is first.
    case words
    case email
    /// 7 to 15 digits (ITU-T E.164) with spaces, dots, dashes and parentheses; captured as digits, with a
    /// leading plus. The zero of `+44 (0)20` is left out.
    case phone
    /// Letters and digits, or digits and dashes, or at least four digits: `AB-1234`; captured in upper case.
    case code
}
