package import Clocks

/// State machine that delivers the user's messages, each only once if possible (protocol.md#resends).
///
/// States of the connection:
///
/// | state | input | next state |
/// | --- | --- | --- |
/// | down | opened | settling, at most 3 s |
/// | settling | a frame, if no sent draft lacks an echo and no join request may be needed | up, drafts are sent |
/// | settling | otherwise, the first frame or a batch | settling, 500 ms from now, at most 15 s in all |
/// | settling | otherwise, a frame with events missing before it | settling, 2.5 s from now, at most 15 s in all |
/// | settling | its deadline | up, drafts are sent |
/// | settling, up | lost | down |
///
/// States of a draft:
///
/// | state | input | next state |
/// | --- | --- | --- |
/// | waiting | connection up | sent, or failed after four copies or if too large |
/// | sent, waiting | echo | removed, confirmed |
/// | sent, waiting | echo held back, because an earlier event is missing | received: no more copies are sent |
/// | received | echo | removed, confirmed |
/// | sent | connection lost | waiting, for as long as a reconnect may take |
/// | sent, waiting | 12 s, 120 s during a reconnect, or final end of the connection | failed |
/// | failed | late echo | removed, confirmed |
/// | any | removed by the app | removed |
///
/// Drafts are sent in order, by default once per connection, because servers do not recognise duplicates.
package struct DeliveryCore: Sendable {
    package enum Output: Equatable, Sendable {
        case transmit([UInt8])
        case failed(draftID: String)
    }

    package struct Draft: Equatable, Sendable {
        package var id: String
        package var localID: String
        package var text: String
        package var metadata: [String: String]
        package var frame: [UInt8]
        var copyCount = 0
        var state = State.waiting(until: .distantFuture)

        enum State: Equatable, Sendable {
            case waiting(until: Instant)
            /// `resendAt`: time of the next copy on the open connection, or nil.
            case sent(until: Instant, resendAt: Instant?)
            /// The server has the draft: its echo has arrived.
            case received
        }

        package init(
            id: String, localID: String, text: String, metadata: [String: String] = [:], frame: [UInt8]
        ) {
            self.id = id
            self.localID = localID
            self.text = text
            self.metadata = metadata
            self.frame = frame
        }
    }

    private enum ConnectionPhase: Sendable {
        case down(isRecovering: Bool)
        /// Drafts wait until `until`, which frames can move to `latest` at most.
        case settling(until: Instant, latest: Instant?)
        case up
    }

    private let resendsOnOpenConnection: Bool
    private var link = ConnectionPhase.down(isRecovering: true)
    private var drafts: [Draft] = []
    private var failed: [Draft] = []
    /// Maximum bytes of a frame. 0 or less means no limit.
    package private(set) var maxBytes = MessagingLimits.messageBytes

    package init(resendsOnOpenConnection: Bool = false) {
        self.resendsOnOpenConnection = resendsOnOpenConnection
    }

    package var pendingCount: Int { drafts.count }
    package var failedCount: Int { failed.count }

    package var nextDeadline: Instant? {
        var deadline: Instant?
        if case .settling(let until, _) = link { deadline = until }
        for draft in drafts {
            let next = Self.deadline(of: draft)
            deadline = min(next, deadline ?? next)
        }
        return deadline == .distantFuture ? nil : deadline
    }

    // MARK: Sending

    package mutating func apply(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    package func fits(_ frame: [UInt8]) -> Bool {
        maxBytes <= 0 || frame.count <= maxBytes
    }

    package var hasRoom: Bool { drafts.count < MessagingLimits.maxPendingDrafts }

    package mutating func add(_ draft: Draft, at now: Instant) -> [Output] {
        drafts.append(draft)
        let place = drafts.count - 1
        switch link {
        case .up: return send(place, at: now)
        case .settling: drafts[place].state = .waiting(until: now + Self.hold(true))
        case .down(let isRecovering): drafts[place].state = .waiting(until: now + Self.hold(isRecovering))
        }
        return []
    }

    package mutating func addFailed(_ draft: Draft) {
        failed.append(draft)
        failed.removeFirst(max(0, failed.count - MessagingLimits.maxFailedDrafts))
    }

    package func failedDraft(_ id: String) -> Draft? { failed.first { $0.id == id } }

    package mutating func remove(_ id: String) {
        drafts.removeAll { $0.id == id }
        failed.removeAll { $0.id == id }
    }

    /// Removes the draft that an echo confirms: the draft with this `localID`, or for nil the oldest sent draft with
    /// this text. Returns the draft's id, or nil if there is none.
    package mutating func confirm(localID: String?, text: String) -> String? {
        if let localID {
            return Self.removeFirst({ $0.localID == localID }, from: &drafts)
                ?? Self.removeFirst({ $0.localID == localID }, from: &failed)
        }
        return Self.removeFirst({ $0.text == text && $0.copyCount > 0 }, from: &drafts)
    }

    /// Records that the server has received this draft: its echo has arrived. No more copies are sent, even if the
    /// client holds the echo back until a missing earlier event arrives.
    package mutating func noteEcho(localID: String) {
        guard let place = drafts.firstIndex(where: { $0.localID == localID }) else { return }
        drafts[place].state = .received
    }

    // MARK: The connection

    /// Handles an opened connection. Drafts wait, because the history may contain their echoes.
    package mutating func connectionOpened(at now: Instant) {
        link = .settling(until: now + MessagingLimits.replayWait, latest: nil)
    }

    /// Handles a frame while drafts wait for the history. `isUndecided`: a join request may have to precede the drafts.
    /// `hasHole`: an event is missing.
    package mutating func frameArrived(
        isBatch: Bool, isUndecided: Bool, hasHole: Bool, at now: Instant
    ) -> [Output] {
        guard case .settling(_, let known) = link else { return [] }
        let isAmbiguous = drafts.contains { $0.copyCount > 0 && $0.state != .received }
        guard isUndecided || isAmbiguous else { return goUp(at: now) }
        guard isBatch || known == nil || hasHole else { return [] }
        let latest = known ?? now + MessagingLimits.maxReplayWait
        let settle = MessagingLimits.replaySettle + (hasHole ? MessagingLimits.holeWait : .zero)
        link = .settling(until: min(now + settle, latest), latest: latest)
        return []
    }

    /// Handles the loss of the connection. `isRecovering`: the client reconnects.
    package mutating func connectionLost(isRecovering: Bool, at now: Instant) {
        link = .down(isRecovering: isRecovering)
        for place in drafts.indices where drafts[place].state != .received {
            var until = now + Self.hold(isRecovering)
            if case .waiting(let earlier) = drafts[place].state { until = min(until, earlier) }
            drafts[place].state = .waiting(until: until)
        }
    }

    /// Fails the sent drafts after close code 1009, message too large (RFC 6455 §7.4.1).
    package mutating func messageWasTooLarge() -> [Output] {
        fail { if case .sent = $0.state { true } else { false } }
    }

    package mutating func giveUp() -> [Output] {
        link = .down(isRecovering: false)
        return fail { _ in true }
    }

    /// Fails the drafts that the old session may have received.
    package mutating func sessionChanged() -> [Output] { fail { $0.copyCount > 0 } }

    /// Fails the drafts that were never sent. Echoes of the others may still arrive.
    package mutating func stopSending() -> [Output] {
        fail { $0.copyCount == 0 }
    }

    package mutating func setRecovering(_ isRecovering: Bool, at now: Instant) {
        guard case .down(let before) = link, before != isRecovering else { return }
        link = .down(isRecovering: isRecovering)
        for place in drafts.indices where drafts[place].state != .received {
            drafts[place].state = .waiting(until: now + Self.hold(isRecovering))
        }
    }

    package mutating func advance(to now: Instant) -> [Output] {
        var outputs: [Output] = []
        if case .settling(let until, _) = link, until <= now { outputs = goUp(at: now) }
        for place in drafts.indices {
            guard case .sent(let until, let resendAt?) = drafts[place].state, resendAt <= now, until > now
            else {
                continue
            }
            outputs += resend(place, until: until, at: now)
        }
        return outputs
            + fail { draft in
                switch draft.state {
                case .waiting(let until), .sent(let until, _): until <= now
                case .received: false
                }
            }
    }

    // MARK: Steps

    private static func hold(_ isRecovering: Bool) -> Interval {
        isRecovering ? MessagingLimits.offlineHold : MessagingLimits.deliveryTimeout
    }

    private static func deadline(of draft: Draft) -> Instant {
        switch draft.state {
        case .waiting(let until), .sent(let until, nil): until
        case .sent(let until, let resendAt?): min(until, resendAt)
        case .received: .distantFuture
        }
    }

    private static func removeFirst(_ isMatch: (Draft) -> Bool, from drafts: inout [Draft]) -> String? {
        guard let place = drafts.firstIndex(where: isMatch) else { return nil }
        return drafts.remove(at: place).id
    }

    private mutating func goUp(at now: Instant) -> [Output] {
        link = .up
        let limit = maxBytes > 0 ? maxBytes : .max
        var outputs = fail {
            $0.state != .received && ($0.copyCount > MessagingLimits.maxResends || $0.frame.count > limit)
        }
        for place in drafts.indices where drafts[place].state != .received { outputs += send(place, at: now) }
        return outputs
    }

    private mutating func send(_ place: Int, at now: Instant) -> [Output] {
        drafts[place].copyCount += 1
        let resendAt = resendsOnOpenConnection ? now + MessagingLimits.echoWait : nil
        drafts[place].state = .sent(until: now + MessagingLimits.deliveryTimeout, resendAt: resendAt)
        return [.transmit(drafts[place].frame)]
    }

    private mutating func resend(_ place: Int, until: Instant, at now: Instant) -> [Output] {
        guard drafts[place].copyCount <= MessagingLimits.maxResends else {
            drafts[place].state = .sent(until: until, resendAt: nil)
            return []
        }
        drafts[place].copyCount += 1
        drafts[place].state = .sent(until: until, resendAt: now + MessagingLimits.echoWait)
        return [.transmit(drafts[place].frame)]
    }

    private mutating func fail(_ isLost: (Draft) -> Bool) -> [Output] {
        let lost = drafts.filter(isLost)
        guard !lost.isEmpty else { return [] }
        drafts.removeAll(where: isLost)
        lost.forEach { addFailed($0) }
        return lost.map { .failed(draftID: $0.id) }
    }
}
