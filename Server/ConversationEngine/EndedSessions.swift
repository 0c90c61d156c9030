/// Queue of ended sessions, in the order of their ends.
///
/// Removed sessions stay listed and are skipped later (lazy deletion), so that each step costs O(1).
struct EndedSessions: Sendable {
    private var listed: [SessionHandle] = []
    private var head = 0

    /// All of them, forgotten ones included.
    var handles: ArraySlice<SessionHandle> { listed[head...] }
    var first: SessionHandle? { head < listed.count ? listed[head] : nil }

    /// Most of what is listed must have been forgotten, with `held` sessions there are.
    func isCrowded(held: Int) -> Bool { listed.count >= 2 * held + EngineLimits.spareEndings }

    mutating func append(_ handle: SessionHandle) { listed.append(handle) }

    mutating func removeFirst() {
        head += 1
        guard head >= listed.count else { return }
        listed.removeAll(keepingCapacity: true)
        head = 0
    }

    /// Lists these instead.
    mutating func keep(_ handles: [SessionHandle]) {
        listed = handles
        head = 0
    }
}
