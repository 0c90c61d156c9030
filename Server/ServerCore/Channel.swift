package import Clocks
package import ConversationEngine
package import DialectKit

/// State of a session's connection: history, faults, held-back output and delayed input.
package struct Channel {
    package struct History: Equatable {
        package var next: Int
        /// Whether the first message begins with the session's first entry, even if ``next`` is after that entry.
        package let leadsWithStart: Bool
        /// Whether no page was sent yet.
        package var isFirst = true
        /// Whether the last message contained more than one event.
        package var endsWithSeveral = false

        package init(next: Int, leadsWithStart: Bool) {
            self.next = next
            self.leadsWithStart = leadsWithStart
        }
    }

    private struct Rare {
        var history: History?
        /// Messages without a sequence number that wait for the end of the history.
        var heldBack: [(bytes: [UInt8], context: OutboundContext)] = []
        var firings: [FiredFault] = []
        var queue = HoldQueue()
        var input = DelayedInput()
        /// Whether output was stalled at the last report to the protocol rules.
        var isRecordedStalled = false
        /// Time at which the history ended, if its last message had several events.
        var historyEnded: Instant?
        /// Whether messages are intercepted.
        var waitsForPerson = false

        var isNeeded: Bool {
            history != nil || !heldBack.isEmpty || !firings.isEmpty || !queue.isOpen || input.isNeeded
                || isRecordedStalled || historyEnded != nil || waitsForPerson
        }
    }

    package let handle: SessionHandle
    package let dialect: Int
    package let carrier: Carrier
    private var rare: Box<Rare>?

    package init(of handle: SessionHandle, dialect: Int, carrier: Carrier = .webSocket) {
        self.handle = handle
        self.dialect = dialect
        self.carrier = carrier
    }

    /// Whether messages may be sent at once and unchanged.
    package var isPlain: Bool { rare == nil }

    private mutating func change<Result>(_ body: (inout Rare) -> Result) -> Result {
        let box = rare ?? Box(Rare())
        rare = box
        let result = body(&box.value)
        if !box.value.isNeeded { rare = nil }
        return result
    }

    // MARK: - History

    package var history: History? { rare?.value.history }

    package mutating func begin(_ history: History) { change { $0.history = history } }

    package mutating func sentPage(upTo next: Int, events: Int) {
        change {
            $0.history?.next = next
            $0.history?.isFirst = false
            $0.history?.endsWithSeveral = events > 1
        }
    }

    /// Ends the history and returns the messages that waited for it. `distance` is the delay of the next live event
    /// after a message with several events.
    package mutating func endHistory(at now: Instant, distance: Interval) -> [(
        bytes: [UInt8], context: OutboundContext
    )] {
        guard rare != nil else { return [] }
        return change { rare in
            if rare.history?.endsWithSeveral == true, distance > .zero { rare.historyEnded = now }
            rare.history = nil
            let held = rare.heldBack
            rare.heldBack = []
            return held
        }
    }

    package mutating func dropHistory() { if rare != nil { change { $0.history = nil } } }

    /// Queues a message without a sequence number until the history is sent.
    package mutating func hold(_ bytes: [UInt8], _ context: OutboundContext) {
        guard context.sequence == nil else { return }
        change {
            if $0.heldBack.count < CoreLimits.heldBackMessages { $0.heldBack.append((bytes, context)) }
        }
    }

    // MARK: - Faults

    /// Stalls output until all holds end.
    package mutating func hold(_ holds: [HoldQueue.Hold]) {
        guard !holds.isEmpty else { return }
        change { rare in
            for hold in holds { rare.queue.stall(until: hold.end, by: hold.holder) }
        }
    }

    package mutating func fire(_ firing: FiredFault) { change { $0.firings.append(firing) } }

    /// Queues a message for ``next(at:)``. `person` is its hold while messages are intercepted. `damage` makes the
    /// changes that only the dialect can make. `distance` is as in ``endHistory(at:distance:)``.
    package mutating func push(
        _ bytes: [UInt8], _ context: OutboundContext, at now: Instant, distance: Interval,
        person: HoldQueue.Hold? = nil, damage: (_ text: [UInt8], Damage) -> [[UInt8]]
    ) {
        let carrier = carrier
        change {
            if let ended = $0.historyEnded {
                $0.historyEnded = nil
                if ended + distance > now { $0.queue.stall(until: ended + distance, by: nil) }
            }
            let firings = $0.firings
            $0.firings = []
            let looks = $0.waitsForPerson ? person : nil
            let holds = looks.map { [$0] } ?? []
            for step in FaultPlan(
                bytes, looks == nil ? context : context.held, firedBy: firings, at: now, carrier: carrier,
                damage: damage
            ).steps {
                switch step {
                case .stall(let end, let holder): $0.queue.stall(until: end, by: holder)
                case .leave(let item): $0.queue.push(item, holds: item.isMessage ? holds : [])
                case .hold(let item, let others): $0.queue.push(item, holds: others + holds)
                case .swap(let item, let end, let holder):
                    $0.queue.swap(item, until: end, by: holder, holds: item.isMessage ? holds : [])
                case .throttle(let rate, let holder): $0.queue.slow(to: rate, on: carrier, by: holder)
                case .lag(let time, let holder): $0.input.lag(time, by: holder)
                }
            }
        }
    }

    // MARK: - People

    /// Turns interception on or off. Turning it off releases all intercepted messages.
    package mutating func waitForPerson(_ isOn: Bool) {
        guard isOn || rare != nil else { return }
        change {
            $0.waitsForPerson = isOn
            if !isOn { $0.queue.letGo(ofFrame: nil) }
        }
    }

    package var waitsForPerson: Bool { rare?.value.waitsForPerson ?? false }

    package var heldFrames: [HoldQueue.HeldFrame] { rare?.value.queue.heldFrames ?? [] }

    package mutating func letGo(ofFrame id: UInt64, as text: [UInt8]? = nil, by name: String? = nil) {
        if rare != nil { change { $0.queue.letGo(ofFrame: id, as: text, by: name) } }
    }

    package mutating func letGo(ofFrames ids: Set<UInt64>) {
        if rare != nil { change { $0.queue.letGo(ofFrames: ids) } }
    }

    package mutating func drop(frame id: UInt64) { if rare != nil { change { $0.queue.drop(frame: id) } } }

    package mutating func push(_ item: HoldQueue.Item) { change { $0.queue.push(item) } }

    /// Whether the bytes of the next message must be known when the message is queued.
    package var changesMessages: Bool {
        guard let rare = rare?.value else { return false }
        return rare.history != nil || !rare.firings.isEmpty || rare.waitsForPerson || rare.historyEnded != nil
            || rare.queue.changesMessages
    }

    /// Queues a placeholder for messages that another thread renders.
    package mutating func push(_ made: MadeMessages, making: UInt64) {
        change { $0.queue.push(.made(made), holds: [HoldQueue.Hold(making: making)]) }
    }

    package mutating func letGo(ofMaking making: UInt64) { letGo(of: HoldQueue.Hold(making: making).holder) }

    /// Whether output must pass through ``next(at:)``.
    package var isHolding: Bool { rare.map { !$0.value.queue.isOpen } ?? false }

    package var heldBytes: Int { rare.map { $0.value.queue.bytes + $0.value.input.bytes } ?? 0 }

    package var behindHistoryBytes: Int { rare?.value.heldBack.reduce(0) { $0 + $1.bytes.count } ?? 0 }

    /// Whether input must pass through ``delay(_:at:)``.
    package var isLagging: Bool { rare?.value.input.isNeeded ?? false }

    package mutating func delay(_ piece: DelayedInput.Piece, at now: Instant) {
        change { $0.input.push(piece, at: now) }
    }

    package mutating func nextInput(at now: Instant) -> DelayedInput.Piece? {
        isLagging ? change { $0.input.next(at: now) } : nil
    }

    /// Returns the time at which input received at `now` takes effect.
    package func arrival(of now: Instant) -> Instant { rare?.value.input.arrival(of: now) ?? now }

    package var inputDeadline: Instant? { rare?.value.input.nextDeadline }

    package var nextDeadline: Instant? {
        guard let rare = rare?.value else { return nil }
        let due = rare.queue.nextDeadline.flatMap { $0 == .distantFuture ? nil : $0 }
        guard let heard = rare.input.nextDeadline else { return due }
        return min(due ?? heard, heard)
    }

    package mutating func next(at now: Instant) -> HoldQueue.Item? {
        guard rare != nil else { return nil }
        return change { $0.queue.next(at: now) }
    }

    /// Releases what the fault `id` holds back. A nil `id` releases everything and ends interception.
    package mutating func letGo(of id: UInt64?) {
        guard rare != nil else { return }
        change {
            if id == nil { $0.waitsForPerson = false }
            $0.queue.letGo(of: id)
            $0.input.letGo(of: id)
        }
    }

    /// Returns whether traffic is held back, or nil if that has not changed since the last call.
    package mutating func changedStall() -> Bool? {
        guard rare != nil else { return nil }
        return change {
            let isHolding = !$0.queue.isOpen || $0.input.isNeeded
            guard isHolding != $0.isRecordedStalled else { return nil }
            $0.isRecordedStalled = isHolding
            return isHolding
        }
    }
}
