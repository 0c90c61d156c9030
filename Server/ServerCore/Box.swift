/// Mutable value on the heap, for rare state and for large state of an enum case.
package final class Box<Value> {
    package var value: Value

    package init(_ value: Value) { self.value = value }
}
