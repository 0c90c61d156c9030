/// A mutable value on the heap: rare state, allocated on demand, or large state of an enum's case, mutated in place.
package final class Box<Value> {
    package var value: Value

    package init(_ value: Value) { self.value = value }
}
