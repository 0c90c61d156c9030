/// Mutable value on the heap. Used for state that is rarely present, and for large state of an enum case that is
/// mutated in place.
package final class Box<Value> {
    package var value: Value

    package init(_ value: Value) { self.value = value }
}
