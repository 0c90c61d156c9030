/// Mutable value on the heap, for rare state and for large state of an enum case.
final class Box<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}
