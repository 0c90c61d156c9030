import Clocks
import ConversationEngine
import DialectKit
import Testing

@testable import ServerCore

/// Pings are against the only law, and so is silence for a minute; none at all where `all` is empty.
struct NoLaws: ClientLaws {
    var all: [Law] = []
    private(set) var nextCheck: Instant?

    private func breach(_ session: String, at now: Instant) -> [Breach] {
        all.map { Breach(law: $0, session: session, connection: nil, at: now, event: nil, detail: "") }
    }

    mutating func judge(_ deed: ClientDeed, at now: Instant, place: inout Int) -> [Breach] {
        guard case .signalled(let session, _) = deed else { return [] }
        nextCheck = now + .minutes(1)
        return breach(session, at: now)
    }

    mutating func check(at now: Instant) -> [Breach] {
        defer { nextCheck = nil }
        return breach("silent", at: now)
    }

    mutating func forget() { nextCheck = nil }
}

@Suite("The record of breaches")
struct BreachRecorderTests {
    private let moment = EventTime(now: Instant(secondsSince1970: 9), wall: Instant(secondsSince1970: 9))
    private let law = Law(id: "quiet", title: "do not ping", source: "s", advice: "a")

    private func ping(_ session: String, dialect: Int = 1) -> ServerEvent {
        let link = ConnectionReference(
            session: session, number: 1, id: ConnectionID(1), dialect: dialect, isStream: false)
        return .framed(link, .ping, isInbound: true, code: nil)
    }

    @Test("At most 1,000 breaches are kept, the oldest go and are counted")
    func breaches() {
        var recorder = BreachRecorder(laws: [NoLaws(), NoLaws(all: [law])])
        var found: [Breach] = []
        for number in 1...1_050 {
            recorder.row = UInt32(number)
            recorder.read(ping("s\(number)"), at: moment)
            #expect(recorder.hasFound)
            found += recorder.takeBreaches()
        }
        #expect(found.map(\.number) == Array(1...1_050))
        #expect(found.map(\.row) == Array(1...1_050))
        #expect(recorder.breaches.count == 950 && recorder.droppedBreaches == 100)
        #expect(recorder.breaches == found.suffix(950))
    }

    @Test("Each dialect's laws judge its own clients, and nobody does where there are none")
    func dialects() {
        var recorder = BreachRecorder(laws: [NoLaws(), NoLaws(all: [law])])
        recorder.read(ping("s", dialect: 0), at: moment)
        #expect(!recorder.hasFound && recorder.nextCheck == moment.now + .minutes(1))
        var unjudged = BreachRecorder(laws: [])
        unjudged.read(ping("s"), at: moment)
        #expect(!unjudged.hasFound && unjudged.nextCheck == nil)
    }

    @Test("What is checked later belongs to no row, and numbers go on when the record begins anew")
    func anew() {
        var recorder = BreachRecorder(laws: [NoLaws(), NoLaws(all: [law])])
        recorder.row = 7
        recorder.read(ping("s"), at: moment)
        recorder.check(at: moment.now + .minutes(1))
        #expect(recorder.takeBreaches().map(\.row) == [7, 0] && recorder.nextCheck == nil)
        recorder.read(ping("s"), at: moment)
        recorder.forgetMoments()
        #expect(recorder.breaches.map(\.number) == [1, 2, 3] && recorder.nextCheck == nil)
        recorder.beginAnew()
        #expect(recorder.breaches.isEmpty)
        recorder.read(ping("s"), at: moment)
        #expect(recorder.breaches.map(\.number) == [4])
    }
}
