import Clocks
import ConversationEngine
import DialectKit
import Expectations
import Testing

@testable import ServerCore

/// Pings are against the only protocol rule, and so is silence for a minute; none at all where `all` is empty.
struct NoProtocolRules: ClientProtocolRules {
    var all: [ProtocolRule] = []
    private(set) var nextCheck: Instant?

    private func violation(_ session: String, at now: Instant) -> [Violation] {
        all.map {
            Violation(protocolRule: $0, session: session, connection: nil, at: now, event: nil, detail: "")
        }
    }

    mutating func judge(
        _ deed: borrowing ClientActivity, at now: Instant, place: inout Int
    ) -> [Violation] {
        switch deed {
        case .signalled(let session, _):
            nextCheck = now + .minutes(1)
            return violation(session, at: now)
        default: return []
        }
    }

    mutating func check(at now: Instant) -> [Violation] {
        defer { nextCheck = nil }
        return violation("silent", at: now)
    }

    mutating func forget() { nextCheck = nil }
}

@Suite("The record of violations")
struct ViolationRecorderTests {
    private let moment = EventTime(now: Instant(secondsSince1970: 9), wall: Instant(secondsSince1970: 9))
    private let protocolRule = ProtocolRule(id: "quiet", title: "do not ping", source: "s", advice: "a")

    private func ping(_ session: String, dialect: Int = 1) -> ServerEvent {
        let link = ConnectionReference(
            session: session, number: 1, id: ConnectionID(1), dialect: dialect, isStream: false)
        return .framed(link, .ping, isInbound: true, code: nil)
    }

    @Test("At most 1,000 violations are kept, the oldest go and are counted")
    func violations() {
        var recorder = ViolationRecorder(protocolRules: [
            NoProtocolRules(), NoProtocolRules(all: [protocolRule]),
        ])
        var found: [Violation] = []
        for number in 1...1_050 {
            recorder.row = UInt32(number)
            recorder.read(ping("s\(number)"), at: moment)
            #expect(recorder.hasFound)
            found += recorder.takeViolations()
        }
        expectEqual(found.map(\.number), Array(1...1_050))
        expectEqual(found.map(\.row), Array(1...1_050))
        #expect(recorder.violations.count == 950 && recorder.droppedViolations == 100)
        expectEqual(recorder.violations, found.suffix(950))
    }

    @Test("Each dialect's protocol rules judge its own clients, and nobody does where there are none")
    func dialects() {
        var recorder = ViolationRecorder(protocolRules: [
            NoProtocolRules(), NoProtocolRules(all: [protocolRule]),
        ])
        recorder.read(ping("s", dialect: 0), at: moment)
        #expect(!recorder.hasFound && recorder.nextCheck == moment.now + .minutes(1))
        var unjudged = ViolationRecorder(protocolRules: [])
        unjudged.read(ping("s"), at: moment)
        #expect(!unjudged.hasFound && unjudged.nextCheck == nil)
    }

    @Test("What is checked later belongs to no row, and numbers go on when the record begins anew")
    func anew() {
        var recorder = ViolationRecorder(protocolRules: [
            NoProtocolRules(), NoProtocolRules(all: [protocolRule]),
        ])
        recorder.row = 7
        recorder.read(ping("s"), at: moment)
        recorder.check(at: moment.now + .minutes(1))
        #expect(recorder.takeViolations().map(\.row) == [7, 0] && recorder.nextCheck == nil)
        recorder.read(ping("s"), at: moment)
        recorder.forgetMoments()
        #expect(recorder.violations.map(\.number) == [1, 2, 3] && recorder.nextCheck == nil)
        recorder.beginAnew()
        #expect(recorder.violations.isEmpty)
        recorder.read(ping("s"), at: moment)
        expectEqual(recorder.violations.map(\.number), [4])
    }
}
