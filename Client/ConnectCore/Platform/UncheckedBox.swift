/// Box for a value that is not `Sendable`, such as an app's handler, but is read in only one isolation domain (decision
/// record 0016).
package struct UncheckedBox<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
