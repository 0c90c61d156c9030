/// Immutable value shared by many sessions.
final class SharedValue<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// Cache of the scripts of recent sessions, so that every session of a fixture shares one copy.
struct ScriptCache: Sendable {
    /// Versions of fixtures usually in use at one time; beyond that copies are made.
    private static let capacity = 16

    private var scripts: [SharedValue<Script>] = []
    private var oldest = 0

    /// Equality is cheap: parts of one compilation share their storage.
    mutating func keep(_ script: Script) -> SharedValue<Script> {
        if let known = scripts.first(where: { $0.value == script }) { return known }
        let kept = SharedValue(script)
        if scripts.count < Self.capacity {
            scripts.append(kept)
        } else {
            scripts[oldest] = kept
            oldest = (oldest + 1) % Self.capacity
        }
        return kept
    }
}

/// Optional value stored out of line, so that an owner without one needs room for a reference alone. Copied as a value.
@propertyWrapper
struct OnDemand<Value> {
    private var kept: [Value] = []

    var isThere: Bool { !kept.isEmpty }

    var wrappedValue: Value? {
        get { kept.first }
        set { kept = newValue.map { [$0] } ?? [] }
    }

    /// The value, changed in place.
    var existing: Value {
        _read { yield kept[0] }
        _modify { yield &kept[0] }
    }
}

extension OnDemand: Sendable where Value: Sendable {}
