import ControlClient
import Expectations
import Testing
import Texts

@testable import CLI

@Suite("A takeover: what lines mean")
struct TakeoverCommandTests {
    @Test(
        "A line is said; a slash begins a command, two say one",
        arguments: [
            ("Hello there ", .say("Hello there")), ("//etc", .say("/etc")), ("  ", .nothing), ("", .nothing),
            ("/join Marta Rossi", .join("Marta Rossi")), ("/take", .take),
            ("/back", .back(answersLast: false)),
            ("/back answer", .back(answersLast: true)), ("/type", .type(isOn: true)),
            ("/type off", .type(isOn: false)), ("/suggest Yes |No thanks| ", .suggest(["Yes", "No thanks"])),
            ("/handoff", .handoff), ("/accept", .accept),
            ("/queue 3 45", .queue(name: nil, position: 3, waitSeconds: 45)),
            ("/queue 3", .queue(name: nil, position: 3, waitSeconds: nil)),
            ("/queue Front desk 3 45", .queue(name: "Front desk", position: 3, waitSeconds: 45)),
            ("/queue Floor 2 3 45", .queue(name: "Floor 2", position: 3, waitSeconds: 45)),
            ("/fail", .fail(nil)), ("/fail no one there", .fail("no one there")),
            ("/timeout", .timeOut(nil)), ("/require sales", .require(route: "sales")),
            ("/leave", .leave(nil)), ("/leave shift over", .leave("shift over")), ("/end", .end),
            ("/QUIT", .quit), ("/help", .help),
        ] as [(String, OperatorCommand)])
    func commands(line: String, command: OperatorCommand) {
        expectEqual(OperatorCommand(line), command)
    }

    @Test("A card ends with its link, a call button with its number")
    func parts() {
        guard case .card(let card) = OperatorCommand("/card Our  menu https://x/m"),
            case .call(let call) = OperatorCommand("/call Front desk (030) 12 34")
        else {
            Issue.record("not understood")
            return
        }
        #expect(card.title == "Our menu" && card.link == "https://x/m")
        #expect(call.title == "Front desk" && call.number == "(030) 12 34")
    }

    @Test(
        "What cannot be followed is told with an example or the likely spelling",
        arguments: [
            ("/jion Marta", "there is no /jion; did you mean /join?"),
            ("/dance", "there is no /dance; /help lists what there is, and // says a slash"),
            ("/join", "/join takes a name, such as /join Marta"), ("/take it", "/take stands alone"),
            ("/suggest |", "/suggest takes texts with bars between them, such as /suggest Yes | No"),
            ("/queue", "/queue takes a position and seconds, such as /queue 3 45 or /queue Sales 3 45"),
            ("/queue Sales", "/queue takes a position and seconds, such as /queue 3 45 or /queue Sales 3 45"),
            ("/queue -1", "/queue takes a position and seconds, such as /queue 3 45 or /queue Sales 3 45"),
            (
                "/card https://x",
                "/card takes a title and a link, such as /card Our menu https://example.com/menu"
            ),
            ("/call desk", "/call takes a title and a number, such as /call Front desk +49 30 1234"),
            ("/type loud", "/type stands alone, or /type off"),
            (
                "/back please",
                "/back stands alone, or /back answer lets the script answer what was said last"
            ),
        ] as [(String, String)])
    func misuse(line: String, sentence: String) {
        expectEqual(OperatorCommand(line), .misuse(sentence))
    }

    @Test("The help names every command")
    func help() {
        for word in OperatorCommand.words where word != "/help" {
            #expect(OperatorCommand.helpText.contains(word), "\(word)")
        }
    }
}

@Suite("A takeover: what is done")
struct TakeoverSessionTests {
    private func body(_ outputs: [OperatorSession.Output]) -> String {
        guard outputs.count == 1, case .call(let request, _) = outputs[0],
            case .json(let value) = request.body
        else { return "\(outputs)" }
        return request.path.joined(separator: "/") + " " + ValueText.compact(value)
    }

    @Test(
        "Each command is one call",
        arguments: [
            ("Hi", #"takeover {"action":"send","text":"Hi"}"#), ("/take", #"takeover {"action":"takeOver"}"#),
            ("/back", #"takeover {"action":"handBack","answersLast":false}"#),
            ("/join Marta", #"takeover {"action":"join","name":"Marta"}"#),
            ("/type", #"takeover {"action":"typing","state":"started"}"#),
            ("/type off", #"takeover {"action":"typing","state":"stopped"}"#),
            ("/handoff", #"takeover {"action":"triggerHandoff"}"#),
            ("/accept", #"takeover {"action":"accept"}"#),
            ("/queue 3 45", #"takeover {"action":"updateQueue","position":3,"waitSeconds":45}"#),
            ("/queue A 3", #"takeover {"action":"updateQueue","queue":"A","position":3}"#),
            ("/fail", #"takeover {"action":"fail"}"#),
            ("/timeout x", #"takeover {"action":"timeOut","reason":"x"}"#),
            ("/require r", #"takeover {"action":"requireClientHandoff","route":"r"}"#),
            ("/leave", #"takeover {"action":"leave"}"#), ("/end", #"end {"reason":"natural"}"#),
        ] as [(String, String)])
    func calls(line: String, expected: String) {
        var seat = OperatorSession(session: "s-1")
        expectEqual(body(seat.receive(line)), "sessions/s-1/" + expected)
    }

    @Test("Suggestions, cards and call buttons wait for the next line, and stay when it is refused")
    func parts() {
        var seat = OperatorSession(session: "s")
        expectEqual(seat.receive("/suggest A | B"), [.talk("with the next line: 2 suggestions")])
        _ = seat.receive("/card Menu http://m")
        expectEqual(
            seat.receive("/call Desk 1 2"),
            [.talk("with the next line: 2 suggestions, 1 card, 1 call button")])
        let said = seat.receive("Which?")
        expectEqual(
            body(said),
            #"sessions/s/takeover {"action":"send","text":"Which?","suggestions":["A","B"],"#
                + #""attachments":[{"link":"http://m","title":"Menu"}],"calls":[{"title":"Desk","number":"1 2"}]}"#
        )
        expectEqual(seat.receive("Which?"), said)
        seat.clearParts()
        expectEqual(body(seat.receive("So?")), #"sessions/s/takeover {"action":"send","text":"So?"}"#)
    }

    @Test("While a live agent is here, ending is leaving for good")
    func ending() {
        var seat = OperatorSession(session: "s")
        func event(_ type: String) -> JSONValue { .object(["type": .string("EVENT_TYPE_" + type)]) }
        seat.record(event("LIVE_AGENT_JOINED"))
        expectEqual(body(seat.receive("/end")), #"sessions/s/takeover {"action":"leave","ends":true}"#)
        seat.record(event("LIVE_AGENT_LEFT"))
        expectEqual(body(seat.receive("/end")), #"sessions/s/end {"reason":"natural"}"#)
        #expect(!seat.isOver)
        seat.record(event("SESSION_END"))
        #expect(seat.isOver)
    }
}
