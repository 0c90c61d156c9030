import Clocks
import ConversationEngine
import DialectKit
import Expectations
import Foundation
import MockServer
import TestSupport
import Testing
import Texts

@testable import ConnectDialect

@Suite("Protocol rules of Amazon Connect chat", .timeLimit(.minutes(5)))
struct ProtocolRuleTests {
    private static func facts(_ kind: RequestInfo.Kind = .other, cursor: String? = nil) -> RequestInfo {
        var facts = RequestInfo(kind)
        facts.session = "c"
        facts.cursorText = cursor
        return facts
    }

    private let now = Instant(secondsSince1970: 1_768_469_400)

    /// The protocol rules broken by these requests, in order.
    private func broken(_ deeds: [(String, RequestInfo, Int)]) -> [String] {
        var (protocolRules, place) = (ConnectProtocolRules(), -1)
        return deeds.flatMap { protocolRules.judge(Self.asked($0, $1, $2), at: now, place: &place) }.map(
            \.protocolRule.id)
    }

    private static func asked(_ operation: String, _ facts: RequestInfo, _ status: Int) -> ClientActivity {
        .asked(operation: operation, facts, status: status, retryAfter: nil, connection: 1)
    }

    @Test("Who sends before connecting breaks a protocol rule once; who connects in any way does not")
    func order() {
        let say = ("SendMessage", Self.facts(), 200)
        expectEqual(broken([say, say]), ["connect-connect-first"])
        expectEqual(broken([("CreateParticipantConnection", Self.facts(.connect), 200), say]), [])
        var (protocolRules, place) = (ConnectProtocolRules(), -1)
        let subscribe = Array(#"{"topic":"aws/subscribe","content":{"topics":["aws/chat"]}})"#.utf8)
        let subscribed = protocolRules.judge(
            Decoded(ClientInput(.ignored)), subscribe, of: "c", on: 1, at: now, place: &place)
        expectEqual(subscribed, [])
        expectEqual(
            protocolRules.judge(Self.asked("SendMessage", Self.facts(), 200), at: now, place: &place), [])
    }

    @Test(
        "Three throttled attempts are what clients make, a fourth breaks a protocol rule; success begins anew"
    )
    func throttled() {
        let slow = ("SendEvent", Self.facts(), 429)
        let fine = ("SendEvent", Self.facts(), 200)
        expectEqual(broken([slow, slow, slow, fine, slow, slow, slow]), [])
        expectEqual(broken([slow, slow, slow, slow, slow]), ["connect-wait-when-throttled"])
    }

    @Test("A foreign page, calls behind the end, and a storm of connections break theirs")
    func others() {
        expectEqual(broken([("GetTranscript", Self.facts(cursor: "x"), 400)]), ["connect-own-next-token"])
        let late = Array(repeating: ("GetTranscript", Self.facts(), 403), count: 12)
        expectEqual(broken(late), ["connect-stop-when-over"])
        let storm = Array(repeating: ("CreateParticipantConnection", Self.facts(), 200), count: 25)
        expectEqual(broken(storm), ["connect-no-connection-storm"])
    }

    @Test("The server hears of a violation, with its contact")
    func live() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            try await guest.say("too early")
            let other = try await guest.ask("transcript", ["NextToken": .string("x")])
            expectEqual(other.status, 400)
            let violations = await desk.server.inspect { $0.violations }
            expectEqual(
                violations.map(\.protocolRule.id), ["connect-connect-first", "connect-own-next-token"])
            expectEqual(Set(violations.map(\.session)), [guest.contact])
        }
    }

    @Test("Each protocol rule has its statement on the page, and each statement says how it is known")
    func page() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Shared/Docs/protocol-connect.md")
        let blocks = try String(contentsOf: file, encoding: .utf8).split(separator: "#### ")
            .dropFirst()
        let anchors = blocks.compactMap { $0.split(separator: "\n").first.map(String.init) }
        expectEqual(Set(anchors).count, anchors.count)
        for protocolRule in ConnectProtocolRules().all {
            #expect(
                anchors.contains { protocolRule.source == "protocol-connect.md#" + $0 }, "\(protocolRule.id)")
        }
        for block in blocks {
            let tags = ["documented", "observed", "assumed"].count { block.contains("**\($0)**") }
            expectEqual(tags, 1, "\(block.prefix(40))")
        }
    }
}
