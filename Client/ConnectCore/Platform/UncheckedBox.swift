/// Box for a value of the app that is not `Sendable`, such as an event handler. The published SDK accepts handlers that
/// are not `Sendable`, and apps written for it must compile in every language mode (decision record 0016). The box is
/// safe, because each value is read in one isolation domain only.
package struct UncheckedBox<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
