import Deflate
import Expectations
import HTTPCore
import ServerCore
import TestSupport
import Testing

@testable import MockServer

/// zlib's memory of connections is counted, bounded and given back.
@Suite(
    "Memory of compression", .timeLimit(.minutes(5)),
    .enabled(if: DeflateService.isAvailable, "this build has no zlib (Debian: zlib1g-dev)"))
struct CompressionMemoryTests {
    private func open(_ world: World) async throws -> (line: Line, compresses: Bool) {
        let line = try await world.client.upgrade(
            "/_mock/echo", ["Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"])
        return (line, try await line.answer(0).headers["Sec-WebSocket-Extensions"] != nil)
    }

    @Test(
        "When it is full, handshakes agree on none and messages leave as they are (limits.compressionTotalBytes)"
    )
    func full() async throws {
        try await CompressionTests.run {
            $0.limits.compressionTotalBytes = 30_000
        } _: { world in
            let text = [UInt8](repeating: 0x61, count: 1_000)
            let frame = CompressionTests.frame(
                1, try #require(CompressionTests.codec().compress(text)), rsv1: true)
            let (first, second) = (try await open(world), try await open(world))
            #expect(first.compresses && second.compresses)
            let third = try await open(world)
            #expect(!third.compresses)
            for line in [first.line, second.line] {
                line.send(frame)
                try await expectEqual(line.items.wait(count: 1), [.text(text)])
                #expect(line.pieces.all.joined().count > text.count)
            }
            third.line.send([0x81, 0xFE, 0x03, 0xE8, 0, 0, 0, 0] + text)
            try await expectEqual(third.line.items.wait(count: 1), [.text(text)])
            let held = world.server.inspectHere { $0.heldBytes(of: .compression) }
            #expect(held > 20_000 && held <= 30_000)

            first.line.drop()
            for _ in 0..<1_000 {
                let next = try await open(world)
                next.line.drop()
                if next.compresses { return }
            }
            Issue.record("the memory of a connection that has gone is never free")
        }
    }
}
