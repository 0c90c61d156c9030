import Expectations
import Testing

@testable import SocketTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system's watcher itself, epoll or kqueue: the pool works, only slower, with one that reports too much.
@Suite("What the system reports of descriptors", .timeLimit(.minutes(5)))
struct ReadinessTests {
    /// A watcher and both ends of a pipe; all are closed afterwards.
    private func withPipe(_ body: (Readiness, _ output: Int32, _ input: Int32) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let readiness = try Readiness(capacity: 16)
        defer {
            readiness.freeMemory()
            for descriptor in ends + [readiness.descriptor] { close(descriptor) }
        }
        try body(readiness, ends[0], ends[1])
    }

    private func tell(_ input: Int32) throws {
        var byte: UInt8 = 1
        try #require(write(input, &byte, 1) == 1)
    }

    @Test("A descriptor is reported with its token as long as there is something to read")
    func levelTriggered() throws {
        try withPipe { readiness, output, input in
            let token = Token(bits: 0x1234_5678_9ABC)
            try readiness.set(output, token, from: nil, to: .input)
            expectEqual(readiness.poll(), 0)
            try tell(input)
            for _ in 0..<2 {
                expectEqual(readiness.poll(), 1)
                let report = readiness.report(at: 0)
                #expect(report.input && !report.output && report.token.bits == token.bits)
            }
            var byte: UInt8 = 0
            try #require(read(output, &byte, 1) == 1)
            expectEqual(readiness.poll(), 0)
        }
    }

    @Test("A paused descriptor is reported no more, and again when it is wanted again")
    func paused() throws {
        try withPipe { readiness, output, input in
            let token = Token(bits: 7)
            try readiness.set(output, token, from: nil, to: .input)
            try tell(input)
            expectEqual(readiness.poll(), 1)
            try readiness.set(output, token, from: .input, to: [])
            expectEqual(readiness.poll(), 0)
            try tell(input)
            expectEqual(readiness.poll(), 0)
            try readiness.set(output, token, from: [], to: .input)
            expectEqual(readiness.poll(), 1)
            readiness.remove(output, from: .input)
            expectEqual(readiness.poll(), 0)
        }
    }

    @Test("Room to write is reported on its own, and not after it is wanted no more")
    func output() throws {
        try withPipe { readiness, _, input in
            try readiness.set(input, Token(bits: 9), from: nil, to: .output)
            expectEqual(readiness.poll(), 1)
            #expect(readiness.report(at: 0).output && !readiness.report(at: 0).input)
            try readiness.set(input, Token(bits: 9), from: .output, to: [])
            expectEqual(readiness.poll(), 0)
        }
    }
}
