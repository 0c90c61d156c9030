import HTTPCore
import SocketTransport
import Testing
import WebSocketCore

@testable import MockServer

@Suite("What limits mean for sockets, requests and messages")
struct ConfigurationLimitsTests {
    @Test(
        "A peer is slowed down before it is cut off, however little may wait for it",
        arguments: [1, 1_024, 4 << 20, 1 << 30])
    func waiting(bytes: Int) {
        var configuration = Configuration()
        configuration.limits.writeBufferBytes = bytes
        let kept = configuration.socketLimits
        #expect(kept.writeBufferBytes == bytes && kept.highWaterBytes < bytes)
        #expect(kept.lowWaterBytes <= kept.highWaterBytes / 4)
    }

    @Test("There are places for sockets that are only turned away, and for the one that listens")
    func sockets() {
        var configuration = Configuration()
        configuration.limits.sockets = 200_000
        #expect(configuration.socketLimits.sockets == 200_000 + ServerLimits.socketsTurnedAway + 1)
    }

    @Test("Bodies may be as long as an import as long as there are controls")
    func bodies() {
        var configuration = Configuration()
        #expect(configuration.requestLimits.bodyBytes == ServerLimits.Control.importBytes)
        configuration.control.isOn = false
        #expect(configuration.requestLimits.bodyBytes == configuration.limits.bodyBytes)
    }

    @Test("The echo takes what conformance tools send, and more where clients may send more")
    func echo() {
        var configuration = Configuration()
        #expect(configuration.messageLimits(ofEcho: false).messageBytes == configuration.limits.messageBytes)
        #expect(configuration.messageLimits(ofEcho: true).messageBytes == ServerLimits.echoMessageBytes)
        #expect(configuration.messageLimits(ofEcho: true).framesPerMessage == ServerLimits.echoFrames)
        configuration.limits.messageBytes = ServerLimits.echoMessageBytes + 1
        #expect(configuration.messageLimits(ofEcho: true).messageBytes == configuration.limits.messageBytes)
    }
}
