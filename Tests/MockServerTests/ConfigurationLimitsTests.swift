import DialectKit
import Expectations
import HTTPCore
import ServerCore
import SocketTransport
import Testing
import WebSocketCore

@testable import MockServer

@Suite("What limits mean for sockets, requests and messages")
struct ConfigurationLimitsTests {
    @Test(
        "What can wait does so before as much waits for a peer as may, however little that is",
        arguments: [1, 1_024, 4 << 20, 1 << 30] as [Int])
    func waiting(bytes: Int) {
        var configuration = Configuration()
        configuration.limits.writeBufferBytes = bytes
        let kept = configuration.socketLimits(MemoryShares(memory: nil))
        #expect(kept.writeBufferBytes == .max && kept.highWaterBytes < bytes)
        #expect(kept.lowWaterBytes <= kept.highWaterBytes / 4)
    }

    @Test("There are places for sockets that are only turned away, and for the one that listens")
    func sockets() {
        var configuration = Configuration()
        configuration.limits.sockets = 200_000
        let kept = configuration.socketLimits(MemoryShares(memory: nil))
        expectEqual(kept.sockets, 200_000 + ServerLimits.socketsTurnedAway + 1)
    }

    @Test("With 1 GiB all holders together may have less than that; a number that is set is taken as it is")
    func shares() {
        var configuration = Configuration()
        let shares = MemoryShares(memory: 1 << 30)
        let ledger = configuration.ledger(shares)
        let sum =
            ledger.limits.sessions + ledger.limits.bodies + configuration.shelfLimits(shares).totalBytes
            + configuration.socketLimits(shares).outputTotalBytes
        #expect(sum <= 640 << 20)
        #expect(configuration.ledger(MemoryShares(memory: 64 << 30)).limits.sessions == 1 << 30)
        configuration.limits.journalTotalBytes = 4 << 30
        configuration.limits.filesTotalBytes = 3
        configuration.limits.outputTotalBytes = 2
        configuration.limits.bodiesTotalBytes = 1
        expectEqual(configuration.ledger(shares).limits, .init(sessions: 4 << 30, bodies: 1, held: 2))
        expectEqual(configuration.shelfLimits(shares).totalBytes, 3)
        expectEqual(configuration.socketLimits(shares).outputTotalBytes, 2)
    }

    @Test("The echo takes what conformance tools send, and more where clients may send more")
    func echo() {
        var configuration = Configuration()
        expectEqual(
            configuration.messageLimits(ofEcho: false).messageBytes, configuration.limits.messageBytes)
        expectEqual(configuration.messageLimits(ofEcho: true).messageBytes, ServerLimits.echoMessageBytes)
        expectEqual(configuration.messageLimits(ofEcho: true).framesPerMessage, ServerLimits.echoFrames)
        configuration.limits.messageBytes = ServerLimits.echoMessageBytes + 1
        expectEqual(configuration.messageLimits(ofEcho: true).messageBytes, configuration.limits.messageBytes)
    }
}
