import ClientGround
import Clocks
import HTTPClient
import PolyMessaging
import SocketTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the loop of a ``LoadRun`` owns: all users, and the decisions about them.
///
/// One loop and one timer serve every user, where an app has a loop for its one client.
final class LoadState {
    private var core: LoadCore
    private var users: [LoadUser?]
    private var userCount = 0
    /// When each user's core wants to be called.
    private var deadlines = DeadlineHeap()
    /// Inputs for ``core`` that arose while it was being served.
    private var inputs: [(slot: Int, user: Int, LoadCore.Input)] = []
    /// Users who have left and whose connection is not closed yet.
    private var departing: Set<Int> = []
    private var isFinished = false
    private var isInterrupted = false

    private let settings: ClientSettings
    private let restBase: URL
    private let web: any WebTransport
    private let clock: any EventClock
    private var generator: SeededGenerator
    private let inbox: LoadInbox
    private let timer: any EventTimer
    private var armed: Instant?
    private let progress: LoadRun.Progress?
    private var meter: LoadMeter
    private var nextProgress: Instant?
    private var farewellUntil: Instant?
    private let completion: @Sendable (LoadSummary) -> Void
    private let start: Instant

    init(
        _ run: LoadRun, _ settings: ClientSettings, restBase: URL, inbox: LoadInbox, timer: any EventTimer,
        completion: @escaping @Sendable (LoadSummary) -> Void
    ) {
        core = LoadCore(run.plan)
        users = Array(repeating: nil, count: run.plan.sessions)
        generator = SeededGenerator(seed: run.plan.seed).stream("users")
        self.settings = settings
        self.restBase = restBase
        self.inbox = inbox
        self.timer = timer
        self.completion = completion
        (web, clock, progress) = (run.web, run.clock, run.progress)
        start = run.clock.now
        meter = LoadMeter(start: start)
    }

    // MARK: Inputs

    func begin() {
        nextProgress = progress.map { start + $0.interval }
        perform(core.start(at: start))
        serve()
    }

    func takeNews() {
        for item in inbox.takeAll() {
            take(item)
            // What comes next may be about a user who leaves because of this.
            settle()
        }
        serve()
    }

    func timerFired() {
        armed = nil
        let now = clock.now
        for slot in deadlines.takeDue(by: now).map({ Int($0.slot) }) {
            let outputs = users[slot]?.core.advance(to: now) ?? []
            perform(outputs, slot)
        }
        perform(core.advance(to: now))
        if let due = nextProgress, due <= now, let progress {
            progress.tell(meter.snapshot(core, at: now))
            nextProgress = now + progress.interval
        }
        serve()
    }

    /// The first time it ends the run, the second time it waits for nothing more.
    func interrupt() {
        if isFinished { farewellUntil = clock.now }
        isInterrupted = true
        perform(core.interrupt(at: clock.now))
        serve()
    }

    private func take(_ news: LoadNews) {
        if news.ended != nil { departing.remove(news.user) }
        guard let user = users[news.slot], user.number == news.user else { return }
        if let error = LoadUser.fault(in: news.input, to: news.request) {
            inputs.append((news.slot, news.user, .fault(error)))
        }
        if let attempt = news.ended { user.sockets.removeAll { $0.attempt == attempt } }
        handle(news.input, news.slot)
        if let owed = news.owed { user.socket(owed.attempt)?.taken(owed.byteCount) }
    }

    private func handle(_ input: ClientCore.Input, _ slot: Int) {
        let outputs = users[slot]?.handle(input, at: clock.now) ?? []
        perform(outputs, slot)
    }

    // MARK: Doing

    private func serve() {
        settle()
        finishIfDone()
        arm()
    }

    /// Gives the core what has come up, until nothing more does; what concerns a user who has left is dropped.
    private func settle() {
        while !inputs.isEmpty {
            let batch = inputs
            inputs = []
            for (slot, user, input) in batch where users[slot]?.number == user {
                perform(core.handle(input, slot: slot, at: clock.now))
            }
        }
    }

    private func perform(_ outputs: [LoadCore.Output]) {
        for output in outputs {
            switch output {
            case .open(let slot): open(slot)
            case .say(let slot, let text):
                guard let call = users[slot]?.nextCall() else { continue }
                handle(.send(text: text, metadata: [:], call), slot)
            case .leave(let slot): leave(slot)
            case .finished:
                isFinished = true
                farewellUntil = clock.now + Limits.farewell
            }
        }
    }

    private func open(_ slot: Int) {
        userCount += 1
        let core = ClientCore(settings, seed: generator.next())
        users[slot] = LoadUser(number: userCount, core: core)
        handle(.start(stored: nil), slot)
    }

    /// The user says goodbye, and nobody listens to the answer.
    private func leave(_ slot: Int) {
        guard let user = users[slot] else { return }
        users[slot] = nil
        let now = clock.now
        let call = user.nextCall()
        let outputs = user.handle(.end(reason: nil, call), at: now) + user.handle(.shutdown, at: now)
        for output in outputs {
            switch output {
            case .transmit(let attempt, let frame): user.socket(attempt)?.send(frame)
            case .close(let attempt, let code, let reason):
                guard let socket = user.socket(attempt) else { continue }
                departing.insert(user.number)
                socket.close(code, reason: reason)
            default: break
            }
        }
    }

    private func perform(_ outputs: [ClientCore.Output], _ slot: Int) {
        guard let user = users[slot] else { return }
        for output in outputs {
            switch output {
            case .request(let request): post(request, slot, user.number)
            case .open(let attempt, let url): dial(url, attempt, slot, user)
            case .transmit(let attempt, let frame): user.socket(attempt)?.send(frame)
            case .close(let attempt, let code, let reason):
                user.socket(attempt)?.close(code, reason: reason)
            default:
                if let input = LoadUser.meaning(of: output) { inputs.append((slot, user.number, input)) }
            }
        }
        if let next = user.nextDeadline { deadlines.arm(slot, at: next) }
    }

    private func post(_ request: RESTRequest, _ slot: Int, _ user: Int) {
        let (id, name) = (request.id, request.endpoint.rawValue)
        web.post(request, to: restBase) { [inbox] reply in
            let input = ClientCore.Input.restEnded(request: id, reply)
            inbox.post(LoadNews(slot: slot, user: user, request: name, input: input))
        }
    }

    private func dial(_ url: URL, _ attempt: Int, _ slot: Int, _ user: LoadUser) {
        let number = user.number
        let socket = web.dial(url) { [inbox] report in
            inbox.post(
                LoadNews(
                    slot: slot, user: number, request: "upgrade",
                    input: ClientCore.Input(report, attempt: attempt), ended: report.isEnd ? attempt : nil,
                    owed: report.byteCount.map { (attempt, $0) }))
        }
        user.sockets.append((attempt, socket))
    }

    // MARK: Time

    private func finishIfDone() {
        guard isFinished, let until = farewellUntil, departing.isEmpty || clock.now >= until else { return }
        isFinished = false
        farewellUntil = nil
        nextProgress = nil
        let now = clock.now
        completion(LoadSummary(core, elapsed: now - start, isInterrupted: isInterrupted, at: now))
    }

    private func arm() {
        let next = [deadlines.next, core.nextDeadline, nextProgress, farewellUntil].compactMap { $0 }.min()
        guard next != armed else { return }
        armed = next
        if let next { timer.arm(at: next) } else { timer.disarm() }
    }
}
