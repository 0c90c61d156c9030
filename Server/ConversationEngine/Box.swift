/// Immutable value shared by many sessions (a reference-counted box).
final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// Cache of the scripts of recent sessions, so that every session of a fixture shares one copy.
struct ScriptCache: Sendable {
    /// Versions of fixtures usually in use at one time; beyond that copies are made.
    private static let capacity = 16

    private var scripts: [Box<Script>] = []
    private var oldest = 0

    /// Equality is cheap here: parts that come from one compilation share their memory, which is looked at first.
    mutating func keep(_ script: Script) -> Box<Script> {
        if let known = scripts.first(where: { $0.value == script }) { return known }
        let kept = Box(script)
        if scripts.count < Self.capacity {
            scripts.append(kept)
        } else {
            scripts[oldest] = kept
            oldest = (oldest + 1) % Self.capacity
        }
        return kept
    }
}
