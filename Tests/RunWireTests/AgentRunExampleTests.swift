import Expectations
import RunWire
import Testing
import Texts

@Suite("Events and requests of AG-UI, beside the examples")
struct AgentRunExampleTests {
    @Test("There are 51 streams and 10 requests")
    func counts() {
        expectEqual(ExampleFile.streams.count, 51)
        expectEqual(ExampleFile.inputs.count, 10)
    }

    @Test("Each line is written again byte for byte", arguments: ExampleFile.streams)
    func events(_ file: ExampleFile) throws {
        for line in file.lines {
            let event = try RunEventReader.read(line)
            expectEqual(
                String(decoding: RunEventWriter.bytes(event), as: UTF8.self),
                String(decoding: line, as: UTF8.self))
            if case .unknown = event.kind { Issue.record("unknown: \(event.type)") }
        }
    }

    @Test(
        "Each request is written again as the same text without its white space",
        arguments: ExampleFile.inputs)
    func inputs(_ file: ExampleFile) throws {
        let compact = JSONWriter.bytes(try JSONReader.read(file.bytes))
        expectEqual(
            String(decoding: RunEventWriter.bytes(try file.input()), as: UTF8.self),
            String(decoding: compact, as: UTF8.self))
    }

    @Test(
        "Framed as an event stream and cut anywhere, the same events arrive",
        arguments: [1, 2, 3, 7, 64, 4_096] as [Int])
    func framing(_ size: Int) throws {
        for file in ExampleFile.streams {
            let events = try file.events()
            var bytes: [UInt8] = []
            for event in events {
                EventStreamWriter.event(event, into: &bytes)
                EventStreamWriter.comment("still here", into: &bytes)
            }
            var reader = EventStreamReader(limitBytes: 4_096)
            var items: [EventStreamReader.Item] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                items += reader.receive(Array(bytes[start..<min(bytes.count, start + size)]))
            }
            expectEqual(items, file.lines.map { .data($0) })
            #expect(!reader.isInsideEvent)
        }
    }

    @Test("All names of events are used in the examples but those that none has")
    func coverage() throws {
        let seen = Set(try ExampleFile.streams.flatMap { try $0.events().map(\.type) })
        let missing = RunEventType.allCases.map(\.rawValue).filter { !seen.contains($0) }
        expectEqual(missing, ["SUBAGENT_ERROR"])
    }
}
