import Clocks
import Expectations
import Testing

@testable import MockKit

/// A talk about a table, as the server saw it.
private let talk: [ObservedEvent] = [
    ObservedEvent(.sessionStarted, at: .milliseconds(9), session: "a3", sequence: 1),
    ObservedEvent(.connection, at: .milliseconds(12), session: "a3", connection: 1),
    ObservedEvent(.join, at: .milliseconds(21), session: "a3", connection: 1, sequence: 2),
    ObservedEvent(
        .reply, at: .milliseconds(621), session: "a3", connection: 1, sequence: 4,
        text: "Buongiorno! Shall I book you a table?",
        place: CallSite(fixture: "booking.json5", line: 21, column: 5)),
    ObservedEvent(
        .userMessage, at: .milliseconds(1_000), session: "a3", connection: 1, sequence: 5,
        text: "a table, please"),
    ObservedEvent(
        .reply, at: .milliseconds(1_600), session: "a3", connection: 1, sequence: 6,
        text: "With pleasure. For how many people?", rule: "book",
        place: CallSite(fixture: "booking.json5", line: 34, column: 7)),
]

private func numbered(_ observedEvents: [ObservedEvent]) -> [ObservedEvent] {
    observedEvents.enumerated().map { index, observed in
        var observed = observed
        observed.number = index + 1
        return observed
    }
}

private func failure(
    _ expectation: Check, _ extra: [ObservedEvent] = [], line: String = "mock:booking@seed=7"
)
    -> FailureText
{
    FailureText(
        expectation: expectation, observedEvents: numbered(talk + extra),
        replay: ReplayLine(scenario: line, journalName: "booking-7.jsonl"))
}

@Suite("Failure texts of the test kit")
struct FailureTextTests {
    @Test("A join too many is told letter for letter")
    func secondJoin() {
        var text = failure(
            Check(.join, .exactly(1), within: .zero),
            [
                ObservedEvent(.connection, at: .milliseconds(3_400), session: "a3", connection: 2),
                ObservedEvent(
                    .join, at: .milliseconds(3_412), session: "a3", connection: 2, sequence: 9,
                    note: "sent after a reconnect; the agent was already in the session"),
                ObservedEvent(
                    .violation, at: .milliseconds(3_412), session: "a3", connection: 2,
                    text: "join once per session", note: "websocket page, \"What happens on connect\""),
            ], line: "mock:booking+tunnel@seed=7")
        text.replay.journalName = "booking-tunnel-7.jsonl"
        expectEqual(
            text.text,
            """
            Expected exactly 1 join, saw 2.
              1   00:00.021  connection 1  event 2
              2   00:03.412  connection 2  event 9   sent after a reconnect; the agent was already in the session
            Protocol rule broken: "join once per session" (websocket page, "What happens on connect").
            Journal attached: booking-tunnel-7.jsonl
            Again: polymock replay 'mock:booking+tunnel@seed=7' --say 'a table, please' --until 9
            """)
    }

    @Test("A reply that is nearly the expected one is shown with the word that differs")
    func differentWord() {
        let text = failure(Check(.reply("For how much money"), .atLeast(1), within: .seconds(5)))
        expectEqual(
            text.text,
            """
            Expected a reply with "For how much money" within 5 s, saw none.
            Closest:
              1   00:01.600  connection 1  event 6   "With pleasure. For how many people?"   has "many" where "much" was expected
              2   00:00.621  connection 1  event 4   "Buongiorno! Shall I book you a table?"   no word in common
            In the fixture: booking.json5:34:7 (rule "book")
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 6
            """)
        expectEqual(text.place, CallSite(fixture: "booking.json5", line: 34, column: 7))
    }

    @Test("A reply that stops too early is told where")
    func shortReply() {
        let text = failure(Check(.reply("how many people today"), .atLeast(1), within: .zero))
        expectEqual(
            text.text,
            """
            Expected a reply with "how many people today", saw none.
            Closest:
              1   00:01.600  connection 1  event 6   "With pleasure. For how many people?"   ends before "today"
              2   00:00.621  connection 1  event 4   "Buongiorno! Shall I book you a table?"   no word in common
            In the fixture: booking.json5:34:7 (rule "book")
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 6
            """)
    }

    @Test("Without anything of the kind, what was seen instead is counted")
    func nothingOfTheKind() {
        let text = failure(Check(.liveAgentJoined, .atLeast(1), within: .minutes(1)))
        expectEqual(
            text.text,
            """
            Expected a live agent joining within 1 min, saw none.
            Seen instead: 1 connection, 1 join, 1 user message, 2 replies.
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 6
            """)
        expectEqual(text.place, nil)
    }

    @Test("A mock that saw nothing says so")
    func nothingAtAll() {
        let text = FailureText(
            expectation: Check(.join, .atLeast(1), within: .seconds(10)), observedEvents: [],
            replay: ReplayLine(scenario: "mock:webchat@seed=1", journalName: "webchat-1.jsonl"))
        expectEqual(
            text.text,
            """
            Expected a join within 10 s, saw none.
            Seen instead: nothing.
            Journal attached: webchat-1.jsonl
            Again: polymock replay 'mock:webchat@seed=1'
            """)
    }

    @Test("Too few of something are listed")
    func tooFew() {
        let text = failure(Check(.reply, .atLeast(3), within: .seconds(30)))
        expectEqual(
            text.text,
            """
            Expected at least 3 replies within 30 s, saw 2.
              1   00:00.621  connection 1  event 4   "Buongiorno! Shall I book you a table?"
              2   00:01.600  connection 1  event 6   "With pleasure. For how many people?"
            Seen instead: 1 connection, 1 join, 1 user message.
            In the fixture: booking.json5:34:7 (rule "book")
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 6
            """)
    }

    @Test("An exact count that is not reached names both numbers")
    func notEnoughHeartbeats() {
        let beats = [30, 60].map {
            ObservedEvent(.heartbeat, at: .seconds($0), session: "a3", connection: 1)
        }
        let text = failure(Check(.heartbeat, .exactly(20), within: .zero), beats)
        expectEqual(
            text.text,
            """
            Expected exactly 20 heartbeats, saw 2.
              1   00:30.000  connection 1
              2   01:00.000  connection 1
            Seen instead: 1 connection, 1 join, 1 user message, 2 replies.
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 6
            """)
    }

    @Test("What must never be seen is shown where it was")
    func never() {
        let text = failure(
            Check(.reconnect, .never, within: .seconds(90)),
            [
                ObservedEvent(
                    .connection, at: .seconds(61), session: "a3", connection: 2, note: "with cursor 6")
            ])
        expectEqual(
            text.text,
            """
            Expected no reconnect within 90 s, saw 1.
              1   01:01.000  connection 2   with cursor 6
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 6
            """)
    }

    @Test("A sequence names the step that did not come")
    func missingStep() {
        let text = failure(
            Check(inOrder: [.join, .userMessage("table"), .queue(1)], within: .seconds(10)))
        expectEqual(
            text.text,
            """
            Expected 3 things in order within 10 s for all of them; number 3, a queue update with position 1, did not come after number 2, a user message with "table".
              1   00:00.021  connection 1  event 2
              2   00:01.000  connection 1  event 5   "a table, please"
            Seen instead: 1 connection, 1 join, 1 user message, 2 replies.
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 5
            """)
    }

    @Test("A sequence tells when a step came too early")
    func wrongOrder() {
        let text = failure(
            Check(inOrder: [.userMessage, .reply("Buongiorno")], within: .seconds(10)))
        expectEqual(
            text.text,
            """
            Expected 2 things in order within 10 s for all of them; number 2, a reply with "Buongiorno", came before number 1, a user message.
              1   00:01.000  connection 1  event 5   "a table, please"
            Closest:
              1   00:00.621  connection 1  event 4   "Buongiorno! Shall I book you a table?"   came too early
              2   00:01.600  connection 1  event 6   "With pleasure. For how many people?"   no word in common
            In the fixture: booking.json5:34:7 (rule "book")
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 5
            """)
    }

    @Test("A sequence whose first step is missing says that nothing came")
    func firstStep() {
        let text = failure(Check(inOrder: [.sessionEnded(.natural), .join], within: .hours(1)))
        expectEqual(
            text.text,
            """
            Expected 2 things in order within 1 h for all of them; number 1, a session end (natural), did not come.
            Seen instead: 1 connection, 1 join, 1 user message, 2 replies.
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 6
            """)
    }

    @Test("Another place in the queue is a near miss")
    func otherPosition() {
        let queue = [
            ObservedEvent(.queue, at: .seconds(2), session: "a3", connection: 1, sequence: 7, text: "3"),
            ObservedEvent(.queue, at: .seconds(10), session: "a3", connection: 1, sequence: 8, text: "2"),
        ]
        let text = failure(Check(.queue(1), .atLeast(1), within: .seconds(8)), queue)
        expectEqual(
            text.text,
            """
            Expected a queue update with position 1 within 8 s, saw none.
            Closest:
              1   00:02.000  connection 1  event 7   "3"
              2   00:10.000  connection 1  event 8   "2"
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 8
            """)
    }

    @Test("A session that ended for another reason is a near miss")
    func otherEnd() {
        let end = ObservedEvent(
            .sessionEnded, at: .minutes(12), session: "a3", sequence: 7, text: "abandoned")
        let text = failure(Check(.sessionEnded(.user), .atLeast(1), within: .seconds(10)), [end])
        expectEqual(
            text.text,
            """
            Expected a session end (user) within 10 s, saw none.
            Closest:
              1   12:00.000  event 7   "abandoned"
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 7
            """)
    }

    @Test(
        "What nobody heard explains why a reply is missing, and is where the failure is shown")
    func unmatched() {
        let unmatched = ObservedEvent(
            .unmatchedMessage, at: .seconds(2), session: "a3", text: "resevation",
            note: "Nothing heard \"resevation\" in stage \"start\" (session a3, message 2).\n  1  book",
            place: CallSite(fixture: "booking.json5", line: 96, column: 5))
        let text = failure(Check(.liveAgentMessage("Marta"), .atLeast(1), within: .seconds(5)), [unmatched])
        expectEqual(
            text.text,
            """
            Expected a live agent's message with "Marta" within 5 s, saw none.
            Seen instead: 1 connection, 1 join, 1 user message, 2 replies.
            Nothing heard "resevation" in stage "start" (session a3, message 2).
              1  book
            In the fixture: booking.json5:96:5
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 6
            """)
        expectEqual(text.place, CallSite(fixture: "booking.json5", line: 96, column: 5))
    }

    @Test("A long table shows its end and counts the rest")
    func longTable() {
        let beats = (1...15).map {
            ObservedEvent(.heartbeat, at: .seconds($0 * 30), session: "a3", connection: 1)
        }
        let text = failure(Check(.heartbeat, .exactly(14), within: .zero), beats)
        expectEqual(
            text.text,
            """
            Expected exactly 14 heartbeats, saw 15.
              … 3 more before these
               4   02:00.000  connection 1
               5   02:30.000  connection 1
               6   03:00.000  connection 1
               7   03:30.000  connection 1
               8   04:00.000  connection 1
               9   04:30.000  connection 1
              10   05:00.000  connection 1
              11   05:30.000  connection 1
              12   06:00.000  connection 1
              13   06:30.000  connection 1
              14   07:00.000  connection 1
              15   07:30.000  connection 1
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 6
            """)
    }

    @Test("What was due when the time was over is told, with how much later")
    func due() {
        var text = failure(
            Check(inOrder: [.join, .queue(2)], within: .seconds(10)),
            [ObservedEvent(.queue, at: .seconds(8), session: "a3", connection: 1, sequence: 7, text: "3")])
        text.due = FailureText.Due(name: "queue update 2", delay: .milliseconds(400))
        text.lastSaid = FailureText.Saying(
            number: 1, text: "a table, please", site: CallSite(filePath: "App/BookingTests.swift", line: 12))
        expectEqual(
            text.text,
            """
            Expected 2 things in order within 10 s for all of them; number 2, a queue update with position 2, did not come after number 1, a join.
              1   00:00.021  connection 1  event 2
            Closest:
              1   00:08.000  connection 1  event 7   "3"
            Last said: message 1, "a table, please" (BookingTests.swift:12)
            Due next: queue update 2, 400 ms after the deadline.
            Journal attached: booking-7.jsonl
            Again: polymock replay 'mock:booking@seed=7' --say 'a table, please' --until 2
            """)
    }

    @Test(
        "A check that lets no time pass says how to let some, and who moves time where the test does",
        arguments: [
            (false, "Due next: next chunk of reply 3, in 1500 ms; `within:` lets time pass."),
            (
                true,
                "Due next: next chunk of reply 3, in 1500 ms; this mock moves by steps, clock.runNextTimer() runs it."
            ),
        ] as [(Bool, String)])
    func noTime(_ movesBySteps: Bool, _ line: String) {
        var text = failure(Check(.reply, .exactly(3), within: .zero))
        text.due = FailureText.Due(name: "next chunk of reply 3", delay: .milliseconds(1_500))
        text.movesBySteps = movesBySteps
        #expect(text.text.split(separator: "\n").contains { $0 == line }, "\(text.text)")
    }

    @Test("Whoever waits for idleness with a client connected is told that it never comes")
    func connectedClient() {
        let advice =
            "A connected client is never idle, as its heartbeats count: chat.leave() lets the idle time begin."
        func isTold(_ pattern: Pattern, _ extra: [ObservedEvent] = []) -> Bool {
            failure(Check(pattern, .atLeast(1), within: .seconds(10)), extra).text.contains(advice)
        }
        #expect(isTold(.sessionEnded(.abandoned)))
        #expect(isTold(.sessionEnded))
        #expect(!isTold(.sessionEnded(.natural)))
        #expect(!isTold(.queue))
        #expect(
            !isTold(
                .sessionEnded, [ObservedEvent(.disconnection, at: .seconds(3), session: "a3", connection: 1)])
        )
    }

}
