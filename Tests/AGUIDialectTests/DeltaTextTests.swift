import Expectations
import RunWire
import Testing

@testable import AGUIDialect

@Suite("The text of pieces")
struct DeltaTextTests {
    @Test("Each piece is told as its event is written, whichever came before")
    func sameText() {
        var deltas = DeltaText()
        for type in [RunEventType.textContent, .toolArguments, .reasoningContent, .textContent] {
            for id in ["m", "other \"id\"", "m"] {
                for (delta, stamp) in [("", nil), ("a\n\"b\" é\u{1}", 7 as Int64?), ("word ", nil)] {
                    let kind: RunEvent.Kind =
                        switch type {
                        case .toolArguments: .toolArguments(id: id, delta: delta)
                        case .reasoningContent: .reasoningContent(id: id, delta: delta)
                        default: .textContent(id: id, delta: delta)
                        }
                    var whole: [UInt8] = []
                    EventStreamWriter.event(RunEvent(kind, timestamp: stamp), into: &whole)
                    var text: [UInt8] = []
                    deltas.write(type, of: id, delta, timestamp: stamp, into: &text)
                    expectEqual(text, whole)
                }
            }
        }
    }
}
