package import Clocks
package import SocketTransport

/// Driver of a ``StateMachine`` on an event loop. Passes inputs and deadlines to the machine, and executes its outputs.
package protocol Driver: AnyObject, SendableMetatype {
    associatedtype Machine: StateMachine
    associatedtype Answer = Never

    var run: MachineRun<Self> { get }

    func start()
    func prepare(for input: Machine.Input)
    func execute(_ output: Machine.Output)
}

/// Running state machine with its timer, and the callbacks of the app's calls that wait for an answer.
package final class MachineRun<Owner: Driver> {
    package var machine: Owner.Machine
    package var answers: [Int: Owner.Answer] = [:]
    package fileprivate(set) var inputCount = 0
    fileprivate let clock: any EventClock
    fileprivate var submit: @Sendable (@escaping @Sendable (Owner) -> Void) -> Void = { _ in }
    private var timer: (any EventTimer)?
    private var armed: Instant?
    private var lastCall = 0
    fileprivate var subscriptions: [MonitorSubscription] = []

    /// Minimum delay before the timer fires again if the next deadline is already due, to prevent a busy loop.
    private static var shortestTurn: Interval { .milliseconds(100) }

    package init(_ machine: Owner.Machine, clock: any EventClock) {
        self.machine = machine
        self.clock = clock
    }

    package func register(_ answer: Owner.Answer) -> Int {
        lastCall += 1
        answers[lastCall] = answer
        return lastCall
    }

    package func stop() { (timer, subscriptions) = (nil, []) }

    fileprivate func start(_ submit: @escaping @Sendable (@escaping @Sendable (Owner) -> Void) -> Void) {
        self.submit = submit
        timer = clock.makeTimer { submit { $0.run.fire($0) } }
    }

    private func fire(_ owner: Owner) {
        armed = nil
        let now = advance(owner)
        arm(after: now)
    }

    fileprivate func advance(_ owner: Owner) -> Instant {
        inputCount += 1
        let now = clock.now
        for output in machine.advance(to: now) { owner.execute(output) }
        return now
    }

    /// Sets the timer for the next deadline. `now` is the time at which the timer has just fired; nil for other calls.
    fileprivate func arm(after now: Instant? = nil) {
        let next = Self.deadline(of: &machine)
        guard next != armed else { return }
        armed = next
        guard let next else {
            timer?.disarm()
            return
        }
        if let now, next <= now { timer?.arm(at: now + Self.shortestTurn) } else { timer?.arm(at: next) }
    }

    /// `inout` reads the property in place. Otherwise the getter, from another module, would copy the whole machine.
    private static func deadline(of machine: inout Owner.Machine) -> Instant? { machine.nextDeadline }
}

extension Driver {
    package typealias Work = @Sendable (Self) -> Void

    /// Schedules work on the loop, from any thread.
    package var submit: @Sendable (@escaping Work) -> Void { run.submit }

    package func prepare(for input: Machine.Input) {}

    package func handle(_ input: Machine.Input) { handle(CollectionOfOne(input)) }

    /// Handles several inputs and sets the timer once.
    package func handle(_ inputs: some Sequence<Machine.Input>) {
        for input in inputs {
            prepare(for: input)
            let now = run.advance(self)
            for output in run.machine.handle(input, at: now) { execute(output) }
        }
        run.arm()
    }

    /// Subscribes once to changes of the network and of the app's foreground state.
    package func follow(
        _ network: any NetworkMonitor, _ lifecycle: any LifecycleMonitor,
        isReachable: @escaping @Sendable (Bool) -> Machine.Input,
        isAtFront: @escaping @Sendable (Bool) -> Machine.Input?
    ) {
        guard run.subscriptions.isEmpty else { return }
        let submit = submit
        run.subscriptions = [
            network.subscribe { value in submit { $0.handle(isReachable(value)) } },
            lifecycle.subscribe { value in
                submit { driver in if let input = isAtFront(value) { driver.handle(input) } }
            },
        ]
        if !network.isReachable { handle(isReachable(false)) }
    }
}

extension Loop where State: Driver {
    package convenience init(driving label: String, _ make: () -> sending State) {
        self.init(label: label) { _ in make() }
        submit { driver in
            driver.run.start { [weak self] work in self?.submit { work($0) } }
            driver.start()
        }
    }
}
