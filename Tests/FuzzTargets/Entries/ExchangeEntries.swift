import Clocks
import HTTPCore
import ServerCore

/// The requests of one connection as the server keeps them: what is asked, how long it may be, and until when.
enum ExchangeEntries {
    private static let opened = Instant(secondsSince1970: 1_000)
    private static let times = HTTPExchange.Times(
        first: .seconds(10), head: .seconds(4), request: .seconds(30), idle: .seconds(60))

    /// Control bytes: bit 0 small limits, the others how long a body may be; then where to cut, and how slowly the pieces
    /// come.
    static func exchange(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let control = input.control()
        let cuts = input.control()
        let pause = Interval.milliseconds(Int64(input.control()) * 250)
        let limits = control & 1 == 1 ? HTTPEntries.small : HTTPLimits()
        let whole = try read(CollectionOfOne(input.rest), limits, bodyLimit: control >> 1, pause)
        let pieces = try read(Pieces(input.rest, seed: cuts), limits, bodyLimit: control >> 1, pause)
        try require(whole == pieces, "fed in pieces, the steps differ")

        var trait = Trait()
        for step in whole {
            switch step {
            case .judge: trait.add(1)
            case .answer(_, let body): trait.add(roughly: body.count)
            case .upgrade: trait.add(2)
            case .goOn: trait.add(3)
            case .refuse(let refusal): trait.add(refusal.status)
            }
        }
        return trait
    }

    /// Steps that do not depend on the cuts: nobody is asked to go on, and no bytes follow an upgrade.
    private static func read(
        _ pieces: some Sequence<[UInt8]>, _ limits: HTTPLimits, bodyLimit: Int, _ pause: Interval
    ) throws(BrokenRule) -> [HTTPExchange.Step] {
        var exchange = HTTPExchange(limits: limits, at: opened)
        var watch = DeadlineWatch(opened: opened, times: times)
        var steps: [HTTPExchange.Step] = []
        var judged: RequestHead?
        var now = opened
        for piece in pieces {
            now = now + pause
            for output in piece.withUnsafeBytes({ exchange.receive($0) }) {
                guard let step = exchange.handle(output) else { continue }
                switch step {
                case .goOn: continue
                case .judge(let head):
                    try require(judged == nil, "a head within a request")
                    judged = head
                    steps.append(step)
                    if let refusal = exchange.allowBody(upTo: bodyLimit) {
                        try require(refusal.status == 413, "a long body is refused with \(refusal.status)")
                        return steps + [.refuse(refusal)]
                    }
                case .answer(let head, let body):
                    try require(head == judged, "an answer to a head that was not judged")
                    try require(body.count <= bodyLimit, "a body of \(body.count) bytes got through")
                    try require(exchange.bodyLimit == 0, "the next request begins with a body allowed")
                    judged = nil
                    watch.requestEnded()
                    steps.append(step)
                case .upgrade(let head, _): return steps + [.upgrade(head, leftover: [])]
                case .refuse: return steps + [step]
                }
            }
            try watch.check(&exchange, at: now, hasHead: judged != nil)
        }
        let end = exchange.inputClosed().compactMap { exchange.handle($0) }
        try require(end.count <= 1, "the end of the input is told \(end.count) times")
        try require(!end.isEmpty || judged == nil, "half a request ends without a word")
        return steps + end
    }
}

/// Knows by itself until when a request has to be there.
private struct DeadlineWatch {
    let opened: Instant
    let times: HTTPExchange.Times
    private var began: Instant?
    private var due: Instant?
    private var hasAsked = false

    init(opened: Instant, times: HTTPExchange.Times) {
        self.opened = opened
        self.times = times
    }

    mutating func requestEnded() {
        hasAsked = true
        began = nil
    }

    mutating func check(
        _ exchange: inout HTTPExchange, at now: Instant, hasHead: Bool
    ) throws(BrokenRule) {
        var earlier = exchange
        let back = Interval.seconds(-5_000)
        earlier.shift(by: back)
        let next = exchange.nextDeadline(at: now, times)
        try require(
            earlier.nextDeadline(at: now + back, times) == next.map { $0 + back },
            "a clock that is set back changes how long is left")
        due = next ?? due
        guard exchange.isBusy else {
            try require(!hasHead, "a request without its body is over")
            try require(
                exchange.lateness(times) == .silent(hasAsked: hasAsked), "silence is taken for a request")
            try require(!hasAsked || due == now + times.idle, "the silence between requests has another end")
            began = nil
            return
        }
        let start = began ?? now
        began = start
        guard let due else { throw BrokenRule("a request without a deadline") }
        if hasHead { hasAsked = true }
        try require(
            due <= start + (hasHead ? times.request : times.head), "dripping gives a request more time")
        try require(hasAsked || due <= opened + times.first, "the first head may take longer than the first")
        guard case .refuse(let refusal) = exchange.lateness(times), refusal.status == 408 else {
            throw BrokenRule("a late request is not refused with 408")
        }
    }
}
