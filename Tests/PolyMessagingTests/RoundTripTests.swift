import Clocks
import Expectations
import Foundation
import PolyMessaging
import TestSupport
import Testing
import Texts

@testable import MessagingWire

/// Repeatable random events, with texts from all over Unicode.
private struct RandomEvents {
    var generator: SeededGenerator

    mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }

    mutating func text() -> String {
        let ranges = [0x01...0x1F, 0x20...0x7E, 0xA0...0x7FF, 0x800...0xD7FF, 0x1F300...0x1F6FF]
        var text = ""
        for _ in 0..<below(12) {
            let range = ranges[below(ranges.count)]
            if let scalar = Unicode.Scalar(range.lowerBound + below(range.count)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    mutating func maybe() -> String? { below(2) == 0 ? nil : text() }
    mutating func link() -> String? { below(2) == 0 ? nil : "https://a.example/\(below(1_000))" }

    mutating func message() -> WireMessage {
        WireMessage(
            messageID: text(), text: text(),
            parts: WireParts(
                attachments: (0..<below(3)).map { _ in
                    WireAttachment(
                        contentType: below(2) == 0 ? .image : .url, contentURL: link(),
                        previewImageURL: link(), title: maybe(), callToActionText: maybe())
                },
                suggestions: (0..<below(3)).map { _ in
                    WireSuggestion(messageText: text(), payload: maybe())
                },
                callActions: (0..<below(3)).map { _ in
                    WireCallAction(title: text(), contactNumber: text())
                },
                endsConversation: below(2) == 0),
            sender: WirePerson(id: nil, name: maybe(), avatarURL: link()))
    }

    mutating func change() -> WireChange.Kind {
        switch below(4) {
        case 0: .text(text())
        case 1: .deleted
        case 2: .reaction(text(), isOn: below(2) == 0)
        default: .file(text(), .uploading, percent: below(2) == 0 ? nil : below(101))
        }
    }

    mutating func payload() -> WirePayload {
        switch below(10) {
        case 0: .sessionEnd(reason: maybe())
        case 1: .userMessage(messageID: text(), text: text())
        case 2: .agentJoined(name: maybe(), avatarURL: link())
        case 3: .agentMessage(message())
        case 4: .systemMessage(.warning, message: text())
        case 5: .handoffQueueStatus(WireQueueStatus(queueName: maybe(), position: below(9)))
        case 6: .liveAgentLeft(WirePerson(id: maybe(), name: maybe()), reason: maybe())
        case 7: .clientHandoffRequired(reason: maybe(), queueName: maybe(), route: maybe())
        case 8: .messageChanged(WireChange(text(), change(), by: maybe()))
        default: .languageChanged(code: text())
        }
    }

    mutating func event() -> WireEvent {
        WireEvent(
            id: "e\(below(1_000))", sequence: below(3) == 0 ? nil : UInt64(below(1_000_000)),
            nanoseconds: Int64(below(2_000_000_000)) * 1_000_000_000, payload: payload(),
            metadata: below(2) == 0 ? nil : WireMetadata(custom: ["local_id": text()]))
    }
}

@Suite("Random events and texts")
struct RoundTripTests {
    @Test("What a server writes arrives as the same event", arguments: 1...8 as ClosedRange<UInt64>)
    func inbound(seed: UInt64) {
        var random = RandomEvents(generator: SeededGenerator(seed: seed))
        for _ in 0..<100 {
            let wire = random.event()
            var bytes: [UInt8] = []
            let custom = wire.metadata?.custom.map { map in
                let object = JSONObject(map.map { JSONObject.Member($0.key, .string($0.value)) })
                return String(decoding: JSONWriter.bytes(.object(object)), as: UTF8.self)
            }
            WireEventWriter.write(
                wire.payload, sequence: wire.sequence, nanoseconds: wire.nanoseconds ?? 0,
                customMetadata: custom, into: &bytes
            ) { wire.id.writeID(to: $0) }
            var reading = WireMapping(generator: SeededGenerator(seed: seed))
            var mapping = WireMapping(generator: SeededGenerator(seed: seed))
            let expected = mapping.event(wire, at: Reading.now)
            #expect(expected != nil)
            expectEqual(reading.read(bytes, at: Reading.now).events.first, expected)
        }
    }

    @Test("What a client writes is read by a server as it was meant", arguments: 1...8 as ClosedRange<UInt64>)
    func outbound(seed: UInt64) {
        var random = RandomEvents(generator: SeededGenerator(seed: seed))
        for _ in 0..<100 {
            let text = random.text()
            let event = OutgoingEvent.userMessage(text: text, metadata: [random.text(): random.text()])
            let read = ClientEventReader.read(WireMapping.frame(event))
            expectEqual(read.content, .message(text: text))
            #expect(read.isMetadataPlain && read.customMetadata != nil)
        }
    }

    @Test("Random bytes are never an event and never a crash", arguments: 1...8 as ClosedRange<UInt64>)
    func noise(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var mapping = WireMapping(generator: SeededGenerator(seed: seed))
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            #expect(mapping.read(bytes, at: Reading.now).events.isEmpty)
            let token = String(decoding: bytes, as: UTF8.self)
            #expect(!TokenCheck.isUsable("a." + token + ".b", at: Reading.now))
        }
    }
}
