import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import WebSocketCore

/// What faults make of messages to a client, and what the client's channel makes of that.
enum FaultEntries {
    private static let effects: [Fault.Effect] =
        [
            .drop, .stall(nil), .stall(.seconds(2)), .close(code: 4_001), .delay(.seconds(1)),
            .delay(.seconds(3)), .lose, .repeated, .swap, .refuse(status: 503, retryAfter: nil),
            .agentError(.noConversation), .split(3), .lag(.seconds(1)), .expire,
        ] + Fault.Garble.allCases.map { .garble($0) }

    private static let outlets: [Carrier] = [
        .webSocket, .stream(isChunked: true), .stream(isChunked: false),
    ]

    private static func effect(_ number: Int) -> Fault.Effect { effects[number % effects.count] }

    /// As a dialect does it, in few bytes.
    private static func damage(_ text: [UInt8], _ damage: Damage) -> [[UInt8]] {
        damage == .unknownEvent ? [[0x2A], text] : [text + [0x21]]
    }

    // MARK: - The plan

    /// Control bytes: the outlet, how many faults, one for each of them; then the message.
    static func plan(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let outlet = outlets[input.control() % outlets.count]
        var firings: [FiredFault] = []
        for number in 0..<(input.control() % 16) {
            let choice = input.control()
            // Not for the channel below: what leaves through a throttle are pieces.
            let effect: Fault.Effect = choice == 255 ? .throttle(500) : Self.effect(choice)
            firings.append(FiredFault(id: UInt64(number), name: "t\(number)", effect: effect))
        }
        let text = input.rest
        let now = Instant(secondsSince1970: 1_000)
        let heartbeat = JournalEntry(
            sequence: 3, id: UniqueID(high: 1, low: 1), time: now, event: .heartbeat)
        let context = OutboundContext(session: "s", type: "T", sequence: 3, entry: heartbeat)
        let steps = FaultPlan(
            text, context, firedBy: firings, at: now, carrier: outlet, damage: damage
        ).steps
        try check(steps, of: text, context, firedBy: firings, on: outlet)

        let drops = firings.contains { $0.effect == .drop }
        let holds = FaultPlan.holds(ofAnswerHitBy: firings, at: now)
        try require((holds == nil) == drops, "an answer is cut without a drop, or leaves with one")
        try require(holds?.allSatisfy { $0.end >= now } ?? true, "an answer is held until before it")

        var trait = Trait()
        for step in steps.prefix(4) {
            switch step {
            case .stall: trait.add(1)
            case .leave(let item): trait.add(2 + kind(of: item))
            case .hold: trait.add(7)
            case .swap: trait.add(8)
            case .throttle: trait.add(9)
            case .lag: trait.add(10)
            }
        }
        trait.add(roughly: steps.count)
        return trait
    }

    private static func check(
        _ steps: [FaultPlan.Step], of text: [UInt8], _ context: OutboundContext,
        firedBy firings: [FiredFault],
        on outlet: Carrier
    ) throws(BrokenRule) {
        let items = steps.compactMap { item(of: $0)?.item }
        try require(items.count <= 3 * CoreLimits.eventCopies, "\(items.count) copies of one message")
        try require(
            !firings.isEmpty || steps == [.leave(.message(text, context))], "untouched, it leaves otherwise")
        // Half of what another fault damaged before is half of something else.
        let garbles = firings.filter { if case .garble = $0.effect { true } else { false } }
        var tellings = 0
        for (index, item) in items.enumerated() {
            switch item {
            case .message(let said, let about), .framed(_, of: let said, let about):
                if about.entry != nil { tellings += 1 }
                try require(said == text || about.entry == nil, "the protocol rules hear of what was damaged")
                try require(said == text || about.original == text, "the row lacks what was damaged")
                try require(
                    about.fault.split(separator: ", ").count == firings.count, "the row lacks a fault")
            case .made: throw BrokenRule("a whole message is still being put together")
            case .bytes(let half): if garbles.count == 1 { try checkHalf(half, of: text, on: outlet) }
            case .close, .cut, .end: try require(index == items.count - 1, "something follows the end")
            }
        }
        try require(tellings <= 1, "the protocol rules hear of one message \(tellings) times")
        let isLost = firings.contains { $0.effect == .lose }
        if isLost {
            try require(items.allSatisfy { kind(of: $0) > 0 }, "a lost message leaves")
        }
    }

    /// No client takes half of it for a message.
    private static func checkHalf(_ half: [UInt8], of text: [UInt8], on outlet: Carrier) throws(BrokenRule) {
        switch outlet {
        case .webSocket:
            var client = WebSocketConnection(role: .client)
            let heard = client.receive(half).contains { if case .text = $0 { true } else { false } }
            try require(!heard, "half a frame is a message")
        case .stream(isChunked: true):
            var whole: [UInt8] = []
            TransferChunk.append(text, into: &whole)
            try require(
                half.count < max(1, whole.count) && whole.starts(with: half), "half a chunk is a whole one")
        case .stream(isChunked: false):
            try require(half.count < max(2, text.count) && text.starts(with: half), "half is not a half")
        }
    }

    private static func kind(of item: HoldQueue.Item) -> Int {
        switch item {
        case .message, .framed, .made: 0
        case .bytes: 1
        case .close: 2
        case .cut: 3
        case .end: 4
        }
    }

    private static func item(of step: FaultPlan.Step) -> (item: HoldQueue.Item, isSwapped: Bool)? {
        switch step {
        case .stall, .throttle, .lag: nil
        case .leave(let item), .hold(let item, _): (item, false)
        case .swap(let item, _, _): (item, true)
        }
    }

    // MARK: - The channel

    /// Each byte is something that happens to the channel, some with another byte for how much.
    static func channel(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        var stage = ChannelStage()
        var trait = Trait()
        while !input.isAtEnd {
            let happening = input.control() % 14
            try stage.happen(happening, input.isAtEnd ? 0 : input.control())
            trait.add(stage.channel.isHolding ? 100 + happening : happening)
        }
        try stage.end()
        // The last few decide about what is new.
        return stage.pulled > 8 ? Trait("long") : trait
    }

    /// A channel, and what has to come out of it.
    private struct ChannelStage {
        var channel = Channel(of: SessionHandle(slot: 0, generation: 0), dialect: 0)
        private(set) var pulled = 0
        private var now = Instant(secondsSince1970: 1_000)
        private var number = 0
        private var firings: [FiredFault] = []
        /// What has to leave in this order.
        private var ordered: [HoldQueue.Item] = []
        /// What may leave later than in its order.
        private var swapped: [HoldQueue.Item] = []
        private var heldBack = 0
        private let distance = Interval.milliseconds(500)

        mutating func happen(_ what: Int, _ much: Int) throws(BrokenRule) {
            switch what {
            case 0, 1:
                let firing = FiredFault(id: UInt64(much % 4), name: "t", effect: FaultEntries.effect(much))
                firings.append(firing)
                channel.fire(firing)
            case 2, 3, 4: push(sized: much)
            case 5:
                number += 1
                let item = HoldQueue.Item.bytes([UInt8(truncatingIfNeeded: number), 0])
                channel.push(item)
                ordered.append(item)
            case 6:
                channel.hold([HoldQueue.Hold(end: now + .seconds(Int64(much % 8)), holder: UInt64(much % 4))])
            case 7: channel.letGo(of: much % 5 == 4 ? nil : UInt64(much % 5))
            case 8, 9: now = now + .milliseconds(Int64(much % 32) * 100)
            case 10: channel.begin(Channel.History(next: much, leadsWithStart: much & 1 == 1))
            case 11:
                let sequence: UInt64? = much & 1 == 1 ? 9 : nil
                channel.hold([1], OutboundContext(session: "s", type: "T", sequence: sequence))
                if sequence == nil { heldBack = min(CoreLimits.heldBackMessages, heldBack + 1) }
            case 12: channel.sentPage(upTo: much, events: much)
            default: try endHistory(isForgotten: much & 1 == 1)
            }
            try check()
            if much & 2 == 0 { try pull() }
        }

        private mutating func push(sized much: Int) {
            number += 1
            let text = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1 + much % 40)
            let context = OutboundContext(session: "s", type: "\(number)", sequence: UInt64(number))
            channel.push(text, context, at: now, distance: distance, damage: FaultEntries.damage)
            let plan = FaultPlan(
                text, context, firedBy: firings, at: now, damage: FaultEntries.damage)
            firings = []
            for step in plan.steps {
                guard let (item, isSwapped) = FaultEntries.item(of: step) else { continue }
                if isSwapped { swapped.append(item) } else { ordered.append(item) }
            }
        }

        private mutating func endHistory(isForgotten: Bool) throws(BrokenRule) {
            if isForgotten { return channel.dropHistory() }
            let held = channel.endHistory(at: now, distance: distance)
            try require(held.count == heldBack, "\(held.count) of \(heldBack) come out behind a history")
            try require(channel.history == nil, "a history goes on behind its end")
            heldBack = 0
        }

        private func check() throws(BrokenRule) {
            let size = (ordered + swapped).reduce(0) { $0 + $1.size }
            try require(channel.heldBytes == size, "\(channel.heldBytes) bytes held in place of \(size)")
            guard channel.isPlain else { return }
            try require(!channel.isHolding && channel.history == nil, "a plain channel holds something")
            try require(channel.nextDeadline == nil, "a plain channel waits for a moment")
            try require(firings.isEmpty && heldBack == 0, "a plain channel forgot something")
        }

        private mutating func pull() throws(BrokenRule) {
            while let item = channel.next(at: now) {
                pulled += 1
                if ordered.first == item {
                    ordered.removeFirst()
                } else if let place = swapped.firstIndex(of: item) {
                    swapped.remove(at: place)
                } else {
                    throw BrokenRule("what comes out was lost, changed or overtook something")
                }
            }
            // Else a timer would go off again and again.
            try require(channel.nextDeadline.map { $0 > now } ?? true, "a deadline stays that has passed")
            let isStalled = channel.changedStall()
            try require(
                isStalled == nil || isStalled == (channel.isHolding || channel.isLagging),
                "the protocol rules hear of another stall")
            try require(channel.changedStall() == nil, "the protocol rules hear of a stall twice")
            try check()
        }

        /// Whatever was held leaves at last, and nothing stays.
        mutating func end() throws(BrokenRule) {
            channel.letGo(of: nil)
            try endHistory(isForgotten: false)
            push(sized: 0)
            channel.letGo(of: nil)
            now = now + .hours(1)
            try pull()
            channel.letGo(of: nil)
            try pull()
            try require(ordered.isEmpty && swapped.isEmpty, "something never leaves")
            try require(channel.isPlain, "something stays behind the end")
        }
    }
}
