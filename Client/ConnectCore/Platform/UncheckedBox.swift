/// Box for a value of the app that is not `Sendable`, such as an event handler (decision record 0016). Safe, because
/// each value is read in one isolation domain only.
package struct UncheckedBox<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
