import Clocks

/// What has happened so far, in order, for tests that wait for events and never for time.
///
/// Anybody may add; a test reads ``all``, or suspends until what it looks for is there.
package final class Gathering<Element: Sendable>: Sendable {
    /// Why a wait ended without a result.
    package struct Missed: Error, CustomStringConvertible {
        package var description: String
    }

    private struct State {
        var elements: [Element] = []
        var ending: String?
        var waiters: [UInt64: @Sendable ([Element], _ ending: String?) -> Bool] = [:]
        var counter: UInt64 = 0
    }

    private let state = Locked(State())

    package init() {}

    package var all: [Element] { state.withLock { $0.elements } }
    package var count: Int { state.withLock { $0.elements.count } }

    package func append(_ element: Element) {
        change { $0.elements.append(element) }
    }

    /// Nothing more will come. Waits that are not over fail with `reason`.
    package func end(_ reason: String) {
        change { if $0.ending == nil { $0.ending = reason } }
    }

    /// Suspends until `find` has a result. It is asked at once and after every change.
    @discardableResult
    package func wait<Result: Sendable>(
        for wanted: String = "something", _ find: @escaping @Sendable ([Element]) -> Result?
    ) async throws -> Result {
        let id = state.withLock { state in
            state.counter += 1
            return state.counter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let attempt: @Sendable ([Element], String?) -> Bool = { elements, ending in
                    if let result = find(elements) {
                        continuation.resume(returning: result)
                    } else if let ending {
                        continuation.resume(throwing: Self.missed(wanted, ending, elements))
                    } else {
                        return false
                    }
                    return true
                }
                enroll(id, attempt)
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            _ = waiter?(all, "the wait was cancelled")
        }
    }

    /// Suspends until there are `count` elements.
    package func wait(count: Int) async throws -> [Element] {
        try await wait(for: "\(count) elements") { $0.count >= count ? $0 : nil }
    }

    /// Suspends until nothing more will come.
    package func waitForEnd() async throws -> String {
        do {
            return try await wait(for: "the end") { _ in nil }
        } catch let missed as Missed {
            if let ending = state.withLock({ $0.ending }) { return ending }
            throw missed
        }
    }

    private func enroll(_ id: UInt64, _ attempt: @escaping @Sendable ([Element], String?) -> Bool) {
        let (elements, ending) = state.withLock { state in
            state.waiters[id] = attempt
            return (state.elements, state.ending)
        }
        let cancellation = Task.isCancelled ? "the wait was cancelled" : nil
        settle(id, elements, ending ?? cancellation)
    }

    private func change(_ body: (inout State) -> Void) {
        let (ids, elements, ending) = state.withLock { state in
            body(&state)
            return (Array(state.waiters.keys), state.elements, state.ending)
        }
        for id in ids { settle(id, elements, ending) }
    }

    /// Lets one waiter look. It is taken out while it looks, so that it is resumed once.
    private func settle(_ id: UInt64, _ elements: [Element], _ ending: String?) {
        var (elements, ending) = (elements, ending)
        while let waiter = state.withLock({ $0.waiters.removeValue(forKey: id) }) {
            if waiter(elements, ending) { return }
            let seen = elements.count
            let (latest, end, isUnchanged) = state.withLock { state in
                let isUnchanged = state.elements.count == seen && state.ending == ending
                state.waiters[id] = waiter
                return (state.elements, state.ending, isUnchanged)
            }
            if isUnchanged { return }
            (elements, ending) = (latest, end)
        }
    }

    private static func missed(_ wanted: String, _ ending: String, _ elements: [Element]) -> Missed {
        let tail = elements.suffix(20).map { "\n  \($0)" }.joined()
        return Missed(
            description:
                "waited for \(wanted), but \(ending); of \(elements.count) there were at last:\(tail)")
    }
}
