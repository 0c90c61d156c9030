import Clocks
import PolyMessaging
import SocketTransport

struct ChatShell {
    let service: any ChatService
    let clock: any EventClock
    /// Control sequences that restore the screen.
    var farewell: [UInt8] = []
    var news: AsyncStream<String>?
    var isRestDue: TerminalChat.RestQuestion?

    func run(_ program: some ChatProgram) async -> TerminalChat.Outcome {
        var program = program
        // The element nil means that the service has updates.
        let (inputs, feed) = AsyncStream.makeStream(of: ChatInput?.self)
        let send: @Sendable (ChatInput) -> Void = { feed.yield($0) }
        let (calls, callFeed) = AsyncStream.makeStream(of: ChatCall.self)
        send(.update(.status(.connecting)))
        service.start(send) { feed.yield(nil) }
        let calling = Task { [service] in
            for await call in calls {
                if let error = await service.execute(call) { send(.callFailed(call, error)) }
            }
        }
        let reading = news.map { news in Task { for await line in news { send(.news(line)) } } }
        let signals = SignalWatcher([.interrupt, .terminate, .windowChange]) { signal in
            switch signal {
            case .interrupt: send(.interrupted)
            case .terminate, .hangUp: send(.terminated)
            case .windowChange:
                if let size = Terminal.size { send(.resized(columns: size.columns, rows: size.rows)) }
            }
        }
        StandardInput.follow { send(.input($0)) }
        let timer = clock.makeTimer { send(.tick) }
        if let size = Terminal.size { send(.resized(columns: size.columns, rows: size.rows)) }
        send(.tick)
        var outcome = TerminalChat.Outcome(code: ExitCode.done)
        loop: for await input in inputs {
            if let session = service.sessionID, outcome.sessions.last != session {
                outcome.sessions.append(session)
            }
            for output in program.handle(input.map { [$0] } ?? service.takeUpdates(), at: clock.now) {
                switch output {
                case .exit(let status):
                    outcome.code = status
                    break loop
                case .call(let call): callFeed.yield(call)
                case .write(let bytes):
                    guard let fault = Terminal.write(bytes, to: .standardOutput) else { continue }
                    guard !fault.isBrokenPipe else {
                        send(.brokenPipe)
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
                case .askForRest(let session):
                    Task { [isRestDue] in send(.rest(isDue: await isRestDue?(session) ?? false)) }
                case .export(let path, let bytes):
                    send(.exported(path, Terminal.createFile(path, bytes)))
                case .suspend:
                    Terminal.leaveRawMode()
                    Terminal.stopProcess()
                    _ = Terminal.enterRawMode(restoring: farewell)
                    send(.continued)
                }
            }
            if let deadline = program.nextDeadline { timer.arm(at: deadline) } else { timer.disarm() }
        }
        Terminal.leaveRawMode()
        signals.cancel()
        reading?.cancel()
        timer.disarm()
        // Stop the updates first: unread updates would delay the last message.
        service.leave()
        callFeed.finish()
        await finish(calling, by: program.end)
        return outcome
    }

    /// Waits for running calls, for a limited time, and stops the service.
    private func finish(_ calling: Task<Void, Never>, by end: Instant?) async {
        let (now, patience) = (clock.now, TerminalLimits.farewell)
        let stops = clock.makeTimer { calling.cancel() }
        stops.arm(at: max(now, min(now + patience, end ?? .distantFuture)) + TerminalLimits.lastWord)
        await calling.value
        stops.disarm()
        await service.stop()
    }
}
