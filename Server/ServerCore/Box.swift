/// A value on the heap: rare state, which idle connections should take no room for, and large state inside an enum,
/// which is changed in place this way.
package final class Box<Value> {
    package var value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
