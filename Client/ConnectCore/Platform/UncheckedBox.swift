/// Carries a value of the app to where it is used: a handler or a completion to the main actor, a logger to its lock.
///
/// Unchecked, because the published SDK's handlers and completions are not `Sendable`, and code written for it must
/// compile in every language mode (decision record 0016). It is safe because the value is read in one isolation domain
/// only.
package struct UncheckedBox<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
