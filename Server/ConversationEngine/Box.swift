/// A value that many sessions hold and none changes, in memory once.
final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// The scripts of the sessions opened last. Every session of a fixture shares one copy.
struct ScriptShelf: Sendable {
    /// Versions of fixtures that are in use at one time, usually; beyond that copies are made.
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
