import Clocks
import PolyMessaging
import SocketTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Moves bytes and makes calls for a ``ChatProgram``; decides nothing.
struct ChatShell {
    private let client: PolyMessagingClient
    private let clock: any EventClock
    /// What brings the screen back.
    private let farewell: [UInt8]

    init(_ client: PolyMessagingClient, clock: any EventClock, farewell: [UInt8] = []) {
        self.client = client
        self.clock = clock
        self.farewell = farewell
    }

    private enum Turn: Sendable {
        case input(ChatInput)
        /// The client has told something.
        case news
    }

    /// Runs until the program exits.
    func run(_ program: some ChatProgram) async -> TerminalChat.Outcome {
        var program = program
        let (inputs, feed) = AsyncStream.makeStream(of: Turn.self)
        let tell: @Sendable (ChatInput) -> Void = { feed.yield(.input($0)) }
        let (calls, callFeed) = AsyncStream.makeStream(of: ChatCall.self)
        tell(.update(.status(.connecting)))
        // Updates wait with the client until the program gets to it: a server that never stops must not fill the
        // memory, nor keep a signal or a deadline waiting.
        let news = client.driver.streams.feed.subscribe(progressively: false) { feed.yield(.news) }.listener
        let ends = client.driver.streams.closes.subscribe()
        let following = Task { for await event in ends { tell(.connectionOver(event)) } }
        let calling = Task { [client] in
            for await call in calls {
                if let error = await Self.perform(call, client) { tell(.callFailed(call, error)) }
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
            outcome.session = client.sessionID ?? outcome.session
            for output in outputs(of: turn, news, &program) {
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
        news.leave()
        callFeed.finish()
        await calling.value
        await client.shutdown()
        following.cancel()
        return outcome
    }

    private func outputs(
        of turn: Turn, _ news: FeedListener, _ program: inout some ChatProgram
    ) -> [ChatOutput] {
        switch turn {
        case .input(let input): return program.handle(input, at: clock.now)
        case .news:
            let updates = news.takeAll().items.compactMap { item in
                if case .update(let update, _, _) = item { ChatInput.update(update) } else { nil }
            }
            return program.handle(updates, at: clock.now)
        }
    }

    private static func perform(_ call: ChatCall, _ client: PolyMessagingClient) async -> PolyError? {
        let connection = client.getConnection()
        do {
            switch call {
            case .send(let text): try await client.send(text)
            case .retry(let draft): try await client.retry(draftId: draft)
            case .discard(let draft): client.driver.submit(.removeDraft(draft))
            case .typing: try await client.sendTyping()
            case .setTyping(let isOn): await connection.send(.userTyping(isOn ? .started : .stopped))
            case .heartbeat: await connection.send(.heartbeat)
            case .raw(let frame): try await connection.sendRaw(Data(frame.utf8))
            case .resume: try await client.resume()
            case .startNew: try await client.startNewSession()
            case .end: try await client.end()
            }
            return nil
        } catch let error as PolyError {
            return error
        } catch {
            return .transport(.networkError("\(error)"))
        }
    }
}
