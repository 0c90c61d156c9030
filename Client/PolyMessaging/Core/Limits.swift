/// Bounds of what is read, kept and logged: name, unit, default, reason.
package enum Limits {
    /// Characters. 16: the four that are shown stay a small part of the token.
    package static let minShownTokenCharacters = 16
    /// Bytes of a text or frame, where the log may show it at all. 1024: enough to recognise an event.
    package static let maxLoggedBytes = 1_024
    /// Seconds a token may seem expired. 5: clocks differ.
    package static let tokenSkewSeconds = 5
}
