/// Optional value stored out of line, so that an owner without one needs room for a reference alone. Copied as a value.
@propertyWrapper
struct OnDemand<Value> {
    private var kept: [Value] = []

    var isThere: Bool { !kept.isEmpty }

    var wrappedValue: Value? {
        get { kept.first }
        set { kept = newValue.map { [$0] } ?? [] }
    }

    /// The value where there is one, changed in its place.
    var existing: Value {
        _read { yield kept[0] }
        _modify { yield &kept[0] }
    }
}

extension OnDemand: Sendable where Value: Sendable {}
