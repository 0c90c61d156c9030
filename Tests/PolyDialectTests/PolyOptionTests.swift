import Clocks
import ConversationEngine
import DialectKit
import Expectations
import PolyDialect
import Testing

/// The names of settings whose values are refused where code sets them.
private struct Refusals: SettingVisitor {
    var names: [String] = []

    mutating func visit<Value: Sendable>(
        _ name: String, _ value: inout Value, bounds: ClosedRange<Int>,
        refusing: ((Value) -> SettingMistake?)?
    ) {
        if let refusing, refusing(value) != nil { names.append(name) }
    }

    mutating func visit<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ word: inout Word
    ) {}
}

@Suite("Settings of the Messaging API")
struct PolyOptionTests {
    @Test(
        "Heartbeats come a second apart or more seldom, or not at all",
        arguments: [
            (.zero, false), (.milliseconds(1), true), (.milliseconds(999), true), (.seconds(1), false),
        ] as [(Interval, Bool)])
    func heartbeats(_ interval: Interval, _ isRefused: Bool) {
        var options = PolyOptions { $0.sessions.heartbeatInterval = interval }
        var refusals = Refusals()
        options.visit(&refusals)
        expectEqual(refusals.names, isRefused ? ["sessions.heartbeatInterval"] : [])
    }

    /// protocol.md#join-again
    @Test("Unless a setting says otherwise, an agent greets again after a second join")
    func greetsAgain() {
        var engine = EngineOptions()
        PolyOptions().configure(&engine)
        #expect(engine.greetsAgain)
        PolyOptions { $0.replies.greetsAgain = false }.configure(&engine)
        #expect(!engine.greetsAgain)
    }
}
