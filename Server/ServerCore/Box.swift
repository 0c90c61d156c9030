/// Mutable value on the heap, for rarely used state, or for large state of an enum case that is mutated in place.
package final class Box<Value> {
    package var value: Value

    package init(_ value: Value) { self.value = value }
}
