/// Box for a value of the app that is not `Sendable`, such as a handler for the main actor.
///
/// Unchecked, because the published SDK's handlers and completions are not `Sendable`, and code written for it must
/// compile in every language mode (decision record 0016). Safe, because the value is read in one isolation domain only.
package struct UncheckedBox<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
