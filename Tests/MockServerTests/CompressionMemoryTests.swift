import Deflate
import HTTPCore
import ServerCore
import TestSupport
import Testing
import WebSocketCore

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
        "When it is full, handshakes agree on none, and what comes compressed is refused (limits.compressionTotalBytes)"
    )
    func full() async throws {
        try await CompressionTests.run {
            $0.limits.compressionTotalBytes = 60_000
        } _: { world in
            let text = [UInt8](repeating: 0x61, count: 1_000)
            let frame = CompressionTests.frame(
                1, try #require(CompressionTests.codec().compress(text)), rsv1: true)
            let (first, second) = (try await open(world), try await open(world))
            #expect(first.compresses && second.compresses)
            first.line.send(frame)
            #expect(try await first.line.items.wait(count: 1) == [.text(text)])
            let held = world.server.inspectHere { $0.heldBytes(of: .compression) }
            #expect(held > 40_000 && held <= 60_000)

            second.line.send(frame)
            guard case .closed(let code, _) = try await second.line.items.wait(count: 1)[0] else {
                Issue.record("the message was inflated")
                return
            }
            #expect(code == CloseCode.tryAgainLater.rawValue)
            #expect(world.server.inspectHere { $0.heldBytes(of: .compression) } == held)

            let third = try await open(world)
            #expect(!third.compresses)
            third.line.send(CompressionTests.frame(1, text, rsv1: false))
            #expect(try await third.line.items.wait(count: 1) == [.text(text)])

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
