/// Sessions that are over, in the order of their ends.
///
/// A session that was forgotten meanwhile stays listed until somebody gets to it: nothing is searched, so that each
/// step costs the same however many sessions there are.
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
