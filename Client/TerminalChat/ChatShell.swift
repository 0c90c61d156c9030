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

    /// Runs until the program exits.
    func run(_ program: some ChatProgram) async -> Int32 {
        var program = program
        let (inputs, feed) = AsyncStream.makeStream(of: ChatInput.self)
        let (calls, callFeed) = AsyncStream.makeStream(of: ChatCall.self)
        feed.yield(.update(.status(.connecting)))
        let updates = client.driver.streams.feed.subscribe(progressively: false).items
        let following = Task {
            for await item in updates {
                if case .update(let update, _, _) = item { feed.yield(.update(update)) }
            }
        }
        let calling = Task { [client] in
            for await call in calls {
                if let error = await Self.perform(call, client) { feed.yield(.callFailed(call, error)) }
            }
        }
        let signals = SignalWatcher([.interrupt, .terminate, .windowChange]) { signal in
            switch signal {
            case .interrupt: feed.yield(.interrupted)
            case .terminate: feed.yield(.terminated)
            case .windowChange:
                if let size = Terminal.size { feed.yield(.resized(columns: size.columns, rows: size.rows)) }
            }
        }
        StandardInput.follow { feed.yield(.input($0)) }
        let timer = clock.makeTimer { feed.yield(.tick) }
        if let size = Terminal.size { feed.yield(.resized(columns: size.columns, rows: size.rows)) }
        feed.yield(.tick)
        var code: Int32 = 0
        loop: for await input in inputs {
            for output in program.handle(input, at: clock.now) {
                switch output {
                case .exit(let status):
                    code = status
                    break loop
                case .call(let call): callFeed.yield(call)
                case .write(let bytes):
                    if !Terminal.write(bytes, to: .standardOutput) { feed.yield(.brokenPipe) }
                case .talk(let line):
                    _ = Terminal.write(Array((line + "\n").utf8), to: .standardError)
                case .export(let path, let bytes):
                    feed.yield(.exported(path, Terminal.createFile(path, bytes)))
                case .suspend:
                    Terminal.leaveRawMode()
                    Terminal.stopProcess()
                    _ = Terminal.enterRawMode(restoring: farewell)
                    feed.yield(.continued)
                }
            }
            if let deadline = program.nextDeadline { timer.arm(at: deadline) } else { timer.disarm() }
        }
        Terminal.leaveRawMode()
        signals.cancel()
        timer.disarm()
        callFeed.finish()
        await calling.value
        await client.shutdown()
        following.cancel()
        return code
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
            case .raw(let frame): try await connection.trySendRaw(Data(frame.utf8))
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
