import Clocks
import Expectations
import Testing

@testable import LoadTest

/// A core and its time; what it says is collected.
struct LoadBench {
    var core: LoadCore
    var now = Instant(secondsSince1970: 1_000)
    private(set) var said: [Int] = []
    private(set) var opened: [Int] = []
    private(set) var left: [Int] = []
    private(set) var isFinished = false

    init(_ plan: LoadPlan) {
        core = LoadCore(plan)
        take(core.start(at: now))
    }

    mutating func tell(_ input: LoadCore.Input, _ slot: Int) {
        take(core.handle(input, slot: slot, at: now))
    }

    mutating func pass(_ interval: Interval) {
        let end = now + interval
        while let due = core.nextDeadline, due <= end {
            now = max(now, due)
            take(core.advance(to: now))
        }
        now = end
    }

    mutating func interrupt() { take(core.interrupt(at: now)) }

    /// Opened and greeted.
    mutating func admit(_ slots: Range<Int>) {
        for slot in slots {
            tell(.opened, slot)
            tell(.replied, slot)
        }
    }

    mutating func answer(_ slot: Int) {
        tell(.echoed, slot)
        tell(.worded, slot)
        tell(.replied, slot)
    }

    private mutating func take(_ outputs: [LoadCore.Output]) {
        for output in outputs {
            switch output {
            case .open(let slot): opened.append(slot)
            case .send(let slot, _): said.append(slot)
            case .leave(let slot): left.append(slot)
            case .finished: isFinished = true
            }
        }
    }

    static func plan(_ change: (inout LoadPlan) -> Void) -> LoadPlan {
        var plan = LoadPlan(talks: [LoadTalk(saying: ["hello"])])
        plan.sessions = 2
        change(&plan)
        return plan
    }
}

@Suite("Decisions of a load test")
struct LoadCoreTests {
    @Test("Without a rate, a session speaks again as soon as it is answered, and nobody before all are open")
    func closedLoop() {
        var bench = LoadBench(LoadBench.plan { $0.messages = 3 })
        bench.admit(0..<1)
        #expect(bench.said.isEmpty)
        bench.admit(1..<2)
        expectEqual(bench.said, [0, 1])
        bench.answer(1)
        #expect(bench.said == [0, 1, 1] && !bench.isFinished)
        bench.answer(0)
        bench.answer(1)
        #expect(bench.isFinished && bench.left == [0, 1])
        #expect(
            bench.core.tally.sent == 3 && bench.core.tally.answered == 3 && bench.core.tally.errorCount == 0)
    }

    @Test("At a rate, the latency of a message counts from when it was due, not from when a session was free")
    func openLoop() {
        var bench = LoadBench(
            LoadBench.plan {
                $0.rate = 10
                $0.sessions = 1
                $0.duration = .milliseconds(350)
            })
        bench.admit(0..<1)
        expectEqual(bench.said.count, 1)
        bench.pass(.milliseconds(300))
        expectEqual(bench.said.count, 1)
        bench.answer(0)
        // Due after 100 ms, said after 300 ms, answered after 320 ms.
        expectEqual(bench.said.count, 2)
        bench.pass(.milliseconds(20))
        bench.answer(0)
        expectEqual(bench.core.tally.echo.max, .milliseconds(300))
        #expect(bench.core.tally.echo.percentile(0.5) >= .milliseconds(220))
        #expect(bench.core.tally.echo.percentile(0.5) < .milliseconds(224))
        expectEqual(bench.said.count, 3)
    }

    @Test("A look at the deadlines ends, also at the end of time, where every later moment is the same one")
    func turnsEnd() {
        var bench = LoadBench(LoadBench.plan { $0.rate = 10 })
        bench.admit(0..<1)
        let outputs = bench.core.advance(to: .distantFuture) + bench.core.advance(to: .distantFuture)
        #expect(outputs.count < 1_000)
    }

    @Test("What was due and never sent is counted as an error when the time is over")
    func neverSent() {
        var bench = LoadBench(
            LoadBench.plan {
                $0.rate = 10
                $0.sessions = 1
                $0.duration = .seconds(1)
            })
        bench.admit(0..<1)
        bench.pass(.seconds(2))
        bench.answer(0)
        #expect(bench.isFinished)
        #expect(bench.core.tally.sent == 1 && bench.core.tally.errors[.neverSent] == 9)
    }

    @Test("The run ends with its duration, once what was said is answered")
    func draining() {
        var bench = LoadBench(LoadBench.plan { $0.duration = .seconds(1) })
        bench.admit(0..<2)
        bench.pass(.seconds(1))
        #expect(!bench.isFinished)
        bench.answer(0)
        expectEqual(bench.said.count, 2)
        bench.pass(.seconds(1))
        bench.answer(1)
        #expect(bench.isFinished)
        expectEqual(bench.core.talkingTime(at: bench.now), .seconds(1))
        expectEqual(bench.core.messagesPerSecond(at: bench.now), 0)
    }

    @Test(
        "An echo or a reply that does not come in time is an error of its own kind, and the session goes on")
    func patience() {
        var bench = LoadBench(
            LoadBench.plan {
                $0.patience = .seconds(3)
                $0.duration = .seconds(60)
            })
        bench.admit(0..<2)
        bench.tell(.echoed, 1)
        bench.pass(.seconds(3))
        expectEqual(bench.core.tally.errors, [.noEcho: 1, .noReply: 1])
        expectEqual(bench.said, [0, 1, 0, 1])
        // Too late: it belongs to the message before.
        bench.tell(.replied, 1)
        expectEqual(bench.core.tally.answered, 0)
        bench.answer(1)
        expectEqual(bench.core.tally.answered, 1)
    }

    @Test("Words before the echo belong to what was said earlier")
    func earlyWords() {
        var bench = LoadBench(LoadBench.plan { $0.messages = 2 })
        bench.admit(0..<2)
        bench.tell(.worded, 0)
        bench.tell(.replied, 0)
        #expect(bench.core.tally.reply.count == 0 && bench.core.tally.answered == 0)
    }

    @Test("At most 64 sessions are being opened at once, and with a ramp one after the other")
    func opening() {
        var bench = LoadBench(LoadBench.plan { $0.sessions = 100 })
        expectEqual(bench.opened.count, LoadLimits.openingAtOnce)
        bench.tell(.opened, 0)
        expectEqual(bench.opened.count, LoadLimits.openingAtOnce + 1)
        var ramped = LoadBench(
            LoadBench.plan {
                $0.sessions = 100
                $0.ramp = .seconds(10)
                $0.duration = .seconds(20)
            })
        expectEqual(ramped.opened, [0])
        ramped.pass(.milliseconds(4_950))
        expectEqual(ramped.opened.count, 50)
        // Who is there talks already.
        ramped.admit(0..<1)
        expectEqual(ramped.said, [0])
        for number in 1..<100 {
            ramped.pass(.milliseconds(100))
            ramped.admit(number..<number + 1)
        }
        expectEqual(ramped.opened.count, 100)
    }

    @Test("A session that cannot be had is counted and tried again after a second; if none can, the run ends")
    func failing() {
        var bench = LoadBench(LoadBench.plan { $0.duration = .seconds(60) })
        bench.tell(.failed("no"), 0)
        #expect(!bench.isFinished && bench.left == [0])
        bench.pass(LoadLimits.retryPause)
        expectEqual(bench.opened, [0, 1, 0])
        bench.tell(.failed("no"), 1)
        #expect(bench.isFinished)
        #expect(bench.core.tally.failed == 2 && bench.core.tally.errors == [.noSession("no"): 2])
    }

    @Test("A session that does not open within the patience is given up; one that opened talks meanwhile")
    func neverOpened() {
        var bench = LoadBench(
            LoadBench.plan {
                $0.duration = .seconds(60)
                $0.patience = .seconds(2)
            })
        bench.admit(0..<1)
        #expect(bench.said.isEmpty)
        bench.pass(.seconds(2))
        #expect(bench.said == [0] && bench.left == [1])
        expectEqual(bench.core.tally.errors[.notOpened], 1)
    }

    @Test("A session that ends before a word is an error, and the next one waits a second")
    func endedAtOnce() {
        var bench = LoadBench(
            LoadBench.plan {
                $0.rate = 1
                $0.duration = .seconds(60)
            })
        bench.admit(0..<2)
        bench.tell(.ended, 1)
        #expect(bench.core.tally.errors[.endedEarly] == 1 && bench.opened == [0, 1])
        bench.pass(LoadLimits.retryPause)
        expectEqual(bench.opened, [0, 1, 1])
    }

    @Test("After the last line of a talk the user leaves, and the next one comes with the next talk")
    func talks() {
        let talks = ["a", "b"].map { text in
            LoadTalk(opening: .replies(0), lines: [LoadLine(text, replies: 1)], repeats: false)
        }
        var plan = LoadPlan(talks: talks)
        plan.sessions = 1
        var core = LoadCore(plan)
        let now = Instant(secondsSince1970: 0)
        _ = core.start(at: now)
        var texts: [String] = []
        for _ in 0..<4 {
            for output in core.handle(.opened, slot: 0, at: now) {
                if case .send(_, let text) = output { texts.append(text) }
            }
            _ = core.handle(.echoed, slot: 0, at: now)
            expectEqual(core.handle(.replied, slot: 0, at: now), [.leave(slot: 0), .open(slot: 0)])
        }
        #expect(Set(texts.prefix(2)) == ["a", "b"] && texts.prefix(2) == texts.suffix(2))
        expectEqual(core.tally.opened, 4)
    }

    @Test("An end that belongs to the talk is its answer; one that does not is an error")
    func ends() {
        var plan = LoadPlan(talks: [
            LoadTalk(opening: .replies(0), lines: [LoadLine("bye", replies: 1, ends: true)], repeats: false)
        ])
        plan.sessions = 1
        var bench = LoadBench(plan)
        bench.tell(.opened, 0)
        bench.answer(0)
        expectEqual(bench.core.tally.answered, 0)
        bench.tell(.ended, 0)
        #expect(bench.core.tally.answered == 1 && bench.opened.count == 2)
        bench.tell(.opened, 0)
        bench.tell(.echoed, 0)
        bench.tell(.ended, 0)
        #expect(bench.core.tally.errors == [.endedEarly: 1] && bench.opened.count == 3)
    }

    @Test("A message that the SDK refuses makes its slot pause, so that nothing spins")
    func undelivered() {
        var bench = LoadBench(LoadBench.plan { $0.duration = .seconds(60) })
        bench.admit(0..<2)
        bench.tell(.undelivered, 0)
        #expect(bench.said == [0, 1] && bench.core.tally.errors == [.notDelivered: 1])
        bench.pass(LoadLimits.retryPause)
        expectEqual(bench.opened, [0, 1, 0])
    }

    @Test("Of a server that may greet or not, a greeting is waited for two seconds")
    func greeting() {
        var bench = LoadBench(LoadBench.plan { $0.sessions = 1 })
        bench.tell(.opened, 0)
        bench.pass(LoadLimits.greetingPatience - Interval(nanoseconds: 1))
        #expect(bench.said.isEmpty)
        bench.pass(Interval(nanoseconds: 1))
        #expect(bench.said == [0] && bench.core.tally.errorCount == 0)
    }

    @Test("An interrupted run ends at once, and what is unanswered is no error")
    func interrupted() {
        var bench = LoadBench(LoadBench.plan { $0.rate = 1_000 })
        bench.admit(0..<2)
        bench.interrupt()
        #expect(bench.isFinished && bench.core.tally.sent == 1)
        #expect(LoadSummary(bench.core, elapsed: .zero, isInterrupted: true, at: bench.now).passes)
        var early = LoadBench(LoadBench.plan { _ in })
        early.interrupt()
        #expect(early.isFinished)
    }

    @Test("The echo alone is enough when the plan says so")
    func echoOnly() {
        var bench = LoadBench(
            LoadBench.plan {
                $0.isEchoEnough = true
                $0.messages = 2
            })
        bench.admit(0..<2)
        bench.tell(.echoed, 0)
        bench.tell(.echoed, 1)
        #expect(bench.isFinished && bench.core.tally.answered == 2)
    }

    @Test("More kinds of errors than there is room for are counted together")
    func kinds() {
        var tally = LoadTally()
        for code in 0..<(LoadLimits.errorKinds + 10) { tally.count(.closed(code: code)) }
        #expect(tally.errors[.other] == 10 && tally.errorCount == LoadLimits.errorKinds + 10)
    }
}
