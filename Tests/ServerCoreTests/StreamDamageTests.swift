import Clocks
import ConversationEngine
import DialectKit
import Expectations
import Testing

@testable import ServerCore

@Suite("Damage of event streams")
struct StreamDamageTests {
    @Test(
        "An event is damaged as its fault says",
        arguments: [
            (Fault.Garble.twoValues, "data: {}{}\n\n"), (.crlf, "data: {}\r\n\r\n"),
            (.doneMark, "data: {}\n\ndata: [DONE]\n\n"), (.noBlank, "data:{}\n\n"),
            (.byteOrderMark, "\u{FEFF}data: {}\n\n"),
        ] as [(Fault.Garble, String)])
    func stream(_ garble: Fault.Garble, _ expected: String) {
        expectEqual(left(garble, "data: {}\n\n", .stream(isChunked: true)), expected)
    }

    @Test(
        "On a WebSocket the same is done to the message",
        arguments: [
            (Fault.Garble.twoValues, "{}{}"), (.crlf, "{}\r\n"), (.doneMark, "{}[DONE]"), (.noBlank, "{}"),
            (.byteOrderMark, "\u{FEFF}{}"),
        ] as [(Fault.Garble, String)])
    func webSocket(_ garble: Fault.Garble, _ expected: String) {
        expectEqual(left(garble, "{}", .webSocket), expected)
    }

    private func left(_ garble: Fault.Garble, _ text: String, _ carrier: Carrier) -> String {
        let plan = FaultPlan(
            Array(text.utf8), OutboundContext(session: "s", type: "T", sequence: 3, entry: .any),
            firedBy: [FiredFault(name: "t", effect: .garble(garble))],
            at: Instant(secondsSince1970: 0), carrier: carrier, damage: { text, _ in [text] })
        var bytes: [UInt8] = []
        for step in plan.steps {
            if case .leave(.message(let text, _)) = step { bytes += text }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
