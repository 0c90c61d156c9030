package import Clocks
package import ConversationEngine
package import DialectKit

/// One client's connection of a session, as far as what it is told is concerned: the history on its way, what waits behind
/// that, the troubles that act on its next message, and what they hold back. The shell pulls what may leave with
/// ``next(at:)`` while the client reads, and frames it.
package struct Channel {
    /// A history on its way: how far it was sent.
    package struct History: Equatable {
        /// Index of the entry to send next.
        package var next: Int
        /// The session's first entry leads, also when the cursor is past it.
        package let leadsWithStart: Bool
        /// Nothing was sent yet; even an empty history is told.
        package var isFirst = true
        /// The last message had more than one event.
        package var endsWithSeveral = false

        package init(next: Int, leadsWithStart: Bool) {
            self.next = next
            self.leadsWithStart = leadsWithStart
        }
    }

    /// What most channels do without most of the time.
    private struct Rare {
        var history: History?
        /// Messages without a sequence that came while the history was on its way.
        var heldBack: [(bytes: [UInt8], context: OutboundContext)] = []
        var strikes: [Strike] = []
        var valve = HoldQueue()
        var input = DelayedInput()
        /// The laws know that something is held back.
        var isToldStalled = false
        /// When the history ended behind which the next live event may have to wait.
        var historyEnded: Instant?
        /// A person looks at each message before it leaves.
        var waitsForPerson = false

        var isNeeded: Bool {
            history != nil || !heldBack.isEmpty || !strikes.isEmpty || !valve.isOpen || input.isNeeded
                || isToldStalled || historyEnded != nil || waitsForPerson
        }
    }

    package let handle: SessionHandle
    package let dialect: Int
    package let outlet: Carrier
    private var rare: Box<Rare>?

    package init(of handle: SessionHandle, dialect: Int, outlet: Carrier = .webSocket) {
        self.handle = handle
        self.dialect = dialect
        self.outlet = outlet
    }

    /// A message may leave at once, as it is.
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

    /// A page was sent that ended before entry `next`.
    package mutating func sentPage(upTo next: Int, events: Int) {
        change {
            $0.history?.next = next
            $0.history?.isFirst = false
            $0.history?.endsWithSeveral = events > 1
        }
    }

    /// The history is told.
    ///
    /// - Parameters:
    ///   - now: the moment.
    ///   - distance: how long the next live event has to wait behind a message of several; such events take another way
    ///     through some clients, and would be overtaken.
    /// - Returns: what waited behind it.
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

    /// The session is forgotten.
    package mutating func dropHistory() { if rare != nil { change { $0.history = nil } } }

    /// Keeps a message until the history is told. A client that is still catching up finds journaled entries in its
    /// history; the rest waits behind it, as far as there is room.
    package mutating func hold(_ bytes: [UInt8], _ context: OutboundContext) {
        guard context.sequence == nil else { return }
        change {
            if $0.heldBack.count < CoreLimits.heldBackMessages { $0.heldBack.append((bytes, context)) }
        }
    }

    // MARK: - Troubles

    /// Nothing leaves before all of these are over.
    package mutating func hold(_ holds: [HoldQueue.Hold]) {
        guard !holds.isEmpty else { return }
        change { rare in
            for hold in holds { rare.valve.stall(until: hold.end, by: hold.holder) }
        }
    }

    /// The next message is struck.
    package mutating func strike(_ strike: Strike) { change { $0.strikes.append(strike) } }

    /// Takes in a message that may not leave at once as it is. What may comes out of ``next(at:)``.
    ///
    /// - Parameters:
    ///   - bytes: the message.
    ///   - context: what it is about.
    ///   - now: the moment.
    ///   - distance: see ``endHistory(at:distance:)``.
    ///   - person: a person's hold; nil while this connection's messages are not held.
    ///   - damage: damage that only the dialect can do.
    package mutating func push(
        _ bytes: [UInt8], _ context: OutboundContext, at now: Instant, distance: Interval,
        person: HoldQueue.Hold? = nil, damage: (_ text: [UInt8], Damage) -> [[UInt8]]
    ) {
        let outlet = outlet
        change {
            if let ended = $0.historyEnded {
                $0.historyEnded = nil
                if ended + distance > now { $0.valve.stall(until: ended + distance, by: nil) }
            }
            let strikes = $0.strikes
            $0.strikes = []
            let looks = $0.waitsForPerson ? person : nil
            let holds = looks.map { [$0] } ?? []
            for step in FaultPlan(
                bytes, looks == nil ? context : context.held, struckBy: strikes, at: now, outlet: outlet,
                damage: damage
            ).steps {
                switch step {
                case .stall(let end, let holder): $0.valve.stall(until: end, by: holder)
                case .leave(let item): $0.valve.push(item, holds: item.isMessage ? holds : [])
                case .hold(let item, let others): $0.valve.push(item, holds: others + holds)
                case .swap(let item, let end, let holder):
                    $0.valve.swap(item, until: end, by: holder, holds: item.isMessage ? holds : [])
                case .throttle(let rate, let holder):
                    $0.valve.slow(to: rate, on: outlet, by: holder)
                case .lag(let time, let holder): $0.input.lag(time, by: holder)
                }
            }
        }
    }

    // MARK: - People

    /// From now on a person looks at each message, or no longer; then all that waits leaves.
    package mutating func waitForPerson(_ isOn: Bool) {
        guard isOn || rare != nil else { return }
        change {
            $0.waitsForPerson = isOn
            if !isOn { $0.valve.letGo(ofFrame: nil) }
        }
    }

    package var waitsForPerson: Bool { rare?.value.waitsForPerson ?? false }

    /// What waits for a person, in the order in which it leaves.
    package var heldFrames: [HoldQueue.HeldFrame] { rare?.value.valve.heldFrames ?? [] }

    package mutating func letGo(ofFrame id: UInt64, as text: [UInt8]? = nil, by name: String? = nil) {
        if rare != nil { change { $0.valve.letGo(ofFrame: id, as: text, by: name) } }
    }

    /// ``HoldQueue/letGo(ofFrames:)``
    package mutating func letGo(ofFrames ids: Set<UInt64>) {
        if rare != nil { change { $0.valve.letGo(ofFrames: ids) } }
    }

    package mutating func drop(frame id: UInt64) { if rare != nil { change { $0.valve.drop(frame: id) } } }

    /// Takes in bytes or an end that has to leave behind whatever is held back.
    package mutating func push(_ item: HoldQueue.Item) { change { $0.valve.push(item) } }

    /// Something may change the next message itself: a trouble, or a person.
    package var changesMessages: Bool {
        guard let rare = rare?.value else { return false }
        return rare.history != nil || !rare.strikes.isEmpty || rare.waitsForPerson || rare.historyEnded != nil
            || rare.valve.changesMessages
    }

    /// Takes in messages that are being put together as number `making`.
    package mutating func push(_ made: MadeMessages, making: UInt64) {
        change { $0.valve.push(.made(made), holds: [HoldQueue.Hold(making: making)]) }
    }

    /// The messages are there.
    package mutating func letGo(ofMaking making: UInt64) {
        letGo(of: HoldQueue.Hold(making: making).holder)
    }

    /// Something is held back, or waits to be pulled.
    package var isHolding: Bool { rare.map { !$0.value.valve.isOpen } ?? false }

    /// Bytes that are held back.
    package var heldBytes: Int { rare.map { $0.value.valve.bytes + $0.value.input.bytes } ?? 0 }

    /// Bytes queued after the history.
    package var behindHistoryBytes: Int { rare?.value.heldBack.reduce(0) { $0 + $1.bytes.count } ?? 0 }

    /// What the client sends has to go through ``hearLater(_:at:)``.
    package var isLagging: Bool { rare?.value.input.isNeeded ?? false }

    package mutating func hearLater(_ piece: DelayedInput.Piece, at now: Instant) {
        change { $0.input.push(piece, at: now) }
    }

    /// The next piece of the client's input that is heard by now.
    package mutating func heard(at now: Instant) -> DelayedInput.Piece? {
        isLagging ? change { $0.input.next(at: now) } : nil
    }

    /// When something is heard that the client sends at `now`.
    package func hearing(of now: Instant) -> Instant { rare?.value.input.hearing(of: now) ?? now }

    /// When more of what the client sent is heard; nil when none waits.
    package var inputDeadline: Instant? { rare?.value.input.nextDeadline }

    /// When more may leave or be heard; nil when no time changes that.
    package var nextDeadline: Instant? {
        guard let rare = rare?.value else { return nil }
        let due = rare.valve.nextDeadline.flatMap { $0 == .distantFuture ? nil : $0 }
        guard let heard = rare.input.nextDeadline else { return due }
        return min(due ?? heard, heard)
    }

    /// The next item that may leave now; nil when none may.
    package mutating func next(at now: Instant) -> HoldQueue.Item? {
        guard rare != nil else { return nil }
        return change { $0.valve.next(at: now) }
    }

    /// Lets go of what the trouble `id` holds; nil lets go of everything, for good.
    package mutating func letGo(of id: UInt64?) {
        guard rare != nil else { return }
        change {
            if id == nil { $0.waitsForPerson = false }
            $0.valve.letGo(of: id)
            $0.input.letGo(of: id)
        }
    }

    /// Whether the laws have to hear that something is held back, or no longer; nil when they know.
    package mutating func changedStall() -> Bool? {
        guard rare != nil else { return nil }
        return change {
            let isHolding = !$0.valve.isOpen || $0.input.isNeeded
            guard isHolding != $0.isToldStalled else { return nil }
            $0.isToldStalled = isHolding
            return isHolding
        }
    }
}
