/// Box for a value of the app that is not `Sendable`, such as a handler for the main actor. Unchecked, because code for
/// the published SDK, whose handlers are not `Sendable`, must compile in every language mode (decision record 0016).
/// Safe, because the value is read in one isolation domain only.
package struct UncheckedBox<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
