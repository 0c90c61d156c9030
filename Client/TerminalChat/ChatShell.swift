import Clocks
import PolyMessaging
import SocketTransport

/// Moves bytes and makes calls for a ``ChatProgram``; decides nothing.
struct ChatShell {
    private let service: any ChatService
    private let clock: any EventClock
    /// Control sequences that restore the screen.
    private let farewell: [UInt8]

    init(_ service: any ChatService, clock: any EventClock, farewell: [UInt8] = []) {
        self.service = service
        self.clock = clock
        self.farewell = farewell
    }

    private enum Turn: Sendable {
        case input(ChatInput)
        /// The service has sent an update.
        case news
    }

    /// Runs until the program exits.
    func run(_ program: some ChatProgram) async -> TerminalChat.Outcome {
        var program = program
        let (inputs, feed) = AsyncStream.makeStream(of: Turn.self)
        let tell: @Sendable (ChatInput) -> Void = { feed.yield(.input($0)) }
        let (calls, callFeed) = AsyncStream.makeStream(of: ChatCall.self)
        tell(.update(.status(.connecting)))
        service.start(tell) { feed.yield(.news) }
        let calling = Task { [service] in
            for await call in calls {
                if let error = await service.perform(call) { tell(.callFailed(call, error)) }
            }
        }
        let signals = SignalWatcher([.interrupt, .terminate, .windowChange]) { signal in
            switch signal {
            case .interrupt: tell(.interrupted)
            case .terminate, .hangUp: tell(.terminated)
            case .windowChange:
                if let size = Terminal.size { tell(.resized(columns: size.columns, rows: size.rows)) }
            }
        }
        StandardInput.follow { tell(.input($0)) }
        let timer = clock.makeTimer { tell(.tick) }
        if let size = Terminal.size { tell(.resized(columns: size.columns, rows: size.rows)) }
        tell(.tick)
        var outcome = TerminalChat.Outcome(code: ExitCode.done)
        loop: for await turn in inputs {
            if let session = service.sessionID, outcome.sessions.last != session {
                outcome.sessions.append(session)
            }
            for output in outputs(of: turn, &program) {
                switch output {
                case .exit(let status):
                    outcome.code = status
                    break loop
                case .call(let call): callFeed.yield(call)
                case .write(let bytes):
                    guard let fault = Terminal.write(bytes, to: .standardOutput) else { continue }
                    guard !fault.isBrokenPipe else {
                        tell(.brokenPipe)
                        continue
                    }
                    Terminal.leaveRawMode()
                    _ = Terminal.write(
                        Array("polymock chat: the output cannot be written: \(fault)\n".utf8),
                        to: .standardError)
                    outcome.code = ExitCode.output
                    break loop
                case .talk(let line):
                    _ = Terminal.write(Array((line + "\n").utf8), to: .standardError)
                case .export(let path, let bytes):
                    tell(.exported(path, Terminal.createFile(path, bytes)))
                case .suspend:
                    Terminal.leaveRawMode()
                    Terminal.stopProcess()
                    _ = Terminal.enterRawMode(restoring: farewell)
                    tell(.continued)
                }
            }
            if let deadline = program.nextDeadline { timer.arm(at: deadline) } else { timer.disarm() }
        }
        Terminal.leaveRawMode()
        signals.cancel()
        timer.disarm()
        // The farewell waits for an echo, which must not wait for us.
        service.leave()
        callFeed.finish()
        await finish(calling, by: program.end)
        return outcome
    }

    /// Calls that are under way have until the end that the user set, or a while; then they are stopped.
    private func finish(_ calling: Task<Void, Never>, by end: Instant?) async {
        let (now, patience) = (clock.now, Limits.farewell)
        let stops = clock.makeTimer { calling.cancel() }
        stops.arm(at: max(now, min(now + patience, end ?? .distantFuture)) + Limits.lastWord)
        await calling.value
        stops.disarm()
        await service.stop()
    }

    private func outputs(of turn: Turn, _ program: inout some ChatProgram) -> [ChatOutput] {
        switch turn {
        case .input(let input): return program.handle(input, at: clock.now)
        case .news:
            return program.handle(service.takeNews(), at: clock.now)
        }
    }
}
