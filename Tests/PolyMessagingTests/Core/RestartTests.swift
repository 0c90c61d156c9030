import Clocks
import Expectations
import MessagingWire
import PolyMessaging
import Testing

/// A server that lost its memory may give the ids it gave before: sessions, events, messages.
@Suite("A server that starts again")
struct RestartTests {
    /// The agent joins and says one thing, in the words of a server that counts from the beginning.
    private func greet(_ bench: inout Bench) {
        bench.sequence = 0
        bench.batch([bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))])
        bench.receive(bench.journaled(.joinRequest))
        bench.receive(bench.journaled(.agentJoined(name: "Juno", avatarURL: nil)))
        bench.receive(bench.message("Welcome."))
    }

    /// The token is refused; the new session is called `id`.
    private func replace(_ bench: inout Bench, by id: String) {
        bench.close(4001)
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: id)
        bench.open()
    }

    @Test("A new session begins anew, whatever its id", arguments: ["s-1", "s-2"] as [String])
    func sameID(_ id: String) {
        var bench = Bench()
        bench.startAndOpen()
        greet(&bench)
        bench.send("before")
        bench.receive(bench.echo())
        replace(&bench, by: id)
        #expect(bench.transcript.messages.isEmpty && bench.core.cursor == 0)
        greet(&bench)
        expectEqual(bench.outputs.count(.join(greeting: nil)), 2)
        expectEqual(bench.transcript.messages.count, 1)
        expectEqual(bench.outputs.sessions, ["s-1", id])
        // The address had no cursor of the old life.
        expectEqual(bench.outputs.queries.last, "access_token=\(Bench.token)&session_id=\(id)")
    }

    @Test("What the old session may have got is given up; what it cannot know goes out in the new one")
    func drafts() {
        var bench = Bench()
        bench.startAndOpen()
        greet(&bench)
        bench.send("lost")
        bench.close(1006)
        bench.send("kept")
        bench.advance(.seconds(2))
        bench.fail(.refused(status: 404, retryAfter: nil))
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-1")
        bench.open()
        greet(&bench)
        bench.advance(.seconds(4))
        expectEqual(bench.sentMessages.map(\.text), ["lost", "kept"])
        bench.receive(bench.echo())
        expectEqual(bench.transcript.messages.compactMap(\.delivery), [.sent])
    }

    @Test("A stored session that is refused and made again under its id asks the agent to join")
    func stored() {
        var bench = Bench()
        var record = SessionTests.record(in: bench)
        record.sessionID = "s-1"
        bench.start(stored: record)
        bench.fail(.refused(status: 401, retryAfter: nil))
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-1")
        bench.open()
        greet(&bench)
        expectEqual(bench.outputs.count(.join(greeting: nil)), 1)
    }
}
