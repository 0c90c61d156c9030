import ClientSupport
import Clocks
import Expectations
import SocketTransport
import Testing

/// Has something due every `step`, as often as it is `left`.
private struct Ticker: StateMachine {
    var nextDeadline: Instant?
    var step: Interval
    var left: Int

    mutating func advance(to now: Instant) -> [String] {
        guard let due = nextDeadline, due <= now else { return [] }
        left -= 1
        nextDeadline = left > 0 ? due + step : nil
        return ["due"]
    }

    mutating func handle(_ input: String, at now: Instant) -> [String] { [input] }
}

private final class TickerDriver: Driver {
    typealias Machine = Ticker

    let run: MachineRun<TickerDriver>
    var log: [String] = []

    init(_ machine: Ticker, _ clock: VirtualClock) {
        run = MachineRun(machine, clock: clock)
    }

    func start() { handle("start") }
    func prepare(for input: String) { log.append("(") }
    func execute(_ output: String) { log.append(output) }
}

@Suite("The driver of a state machine")
struct DriverTests {
    private let clock = VirtualClock()

    private func loop(due: Interval, every step: Interval, times: Int) -> Loop<TickerDriver> {
        let machine = Ticker(nextDeadline: clock.now + due, step: step, left: times)
        return Loop(driving: "test.driver") { [clock] in TickerDriver(machine, clock) }
    }

    private func inputCount(_ loop: Loop<TickerDriver>) -> Int { loop.runHere { $0.run.inputCount } }

    @Test("What is due comes before an input, and a deadline alone is enough")
    func order() {
        let loop = loop(due: .seconds(1), every: .seconds(1), times: 3)
        expectEqual(loop.runHere { $0.log }, ["(", "start"])
        loop.runHere { [clock] driver in
            clock.advance(by: .seconds(1))
            driver.handle(["a", "b"])
        }
        expectEqual(loop.runHere { $0.log }, ["(", "start", "(", "due", "a", "(", "b"])
        let before = inputCount(loop)
        clock.advance(by: .seconds(1))
        expectEqual(inputCount(loop), before + 1)
        clock.advance(by: .seconds(5))
        _ = inputCount(loop)
        expectEqual(loop.runHere { $0.log.suffix(2) }, ["due", "due"])
        expectEqual(clock.nextDeadline, nil)
    }

    @Test("A machine that is due again at once waits for 100 ms: nothing spins")
    func noSpinning() {
        let loop = loop(due: .zero, every: .zero, times: 1_000)
        for _ in 0..<3 { _ = inputCount(loop) }
        expectEqual(loop.runHere { $0.log }, ["(", "due", "start", "due"])
        clock.advance(by: .milliseconds(99))
        _ = inputCount(loop)
        expectEqual(loop.runHere { $0.log.count }, 4)
        clock.advance(by: .milliseconds(1))
        _ = inputCount(loop)
        expectEqual(loop.runHere { $0.log.count }, 5)
    }

    @Test("Calls are numbered, and each number is given once")
    func calls() {
        let run = MachineRun<Caller>(nil, clock: clock)
        expectEqual([run.register("a"), run.register("b")], [1, 2])
        #expect(run.answers.removeValue(forKey: 2) == "b" && run.answers == [1: "a"])
    }

    @Test("Without a machine every input is taken, and nothing comes of it")
    func absent() {
        var machine: Ticker?
        #expect(machine.handle("a", at: clock.now).isEmpty && machine.advance(to: clock.now).isEmpty)
        expectEqual(machine.nextDeadline, nil)
    }
}

private final class Caller: Driver {
    typealias Machine = Ticker?
    typealias Answer = String

    let run: MachineRun<Caller>

    init(_ run: MachineRun<Caller>) { self.run = run }

    func start() {}
    func execute(_ output: String) {}
}
