import Expectations
import Testing
import WebSocketCore

@Suite("Frame writing")
struct FrameWriterTests {
    @Test("The examples of RFC 6455 §5.7 come out byte for byte")
    func examples() {
        var unmasked: [UInt8] = []
        FrameWriter.appendFrame(opcode: .text, payload: text("Hello"), mask: nil, to: &unmasked)
        expectEqual(unmasked, [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        var masked: [UInt8] = []
        FrameWriter.appendFrame(opcode: .text, payload: text("Hello"), mask: 0x3D21_FA37, to: &masked)
        expectEqual(masked, [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
        var fragments: [UInt8] = []
        FrameWriter.appendFrame(opcode: .text, payload: text("Hel"), fin: false, to: &fragments)
        FrameWriter.appendFrame(opcode: .continuation, payload: text("lo"), to: &fragments)
        expectEqual(fragments, [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F])
    }

    @Test(
        "A length uses its shortest form (RFC 6455 §5.2)",
        arguments: [
            (0, [0x82, 0]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]), (65535, [0x82, 126, 0xFF, 0xFF]),
            (65536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func lengthForms(_ length: Int, _ expected: [UInt8]) {
        var header: [UInt8] = []
        FrameWriter.appendHeader(opcode: .binary, length: length, to: &header)
        expectEqual(header, expected)
    }

    @Test("A frame is appended after what is there, masked at any alignment", arguments: 0...33)
    func masking(_ count: Int) {
        var dice = Dice(UInt64(count) + 1)
        let payload = dice.bytes(count)
        var out: [UInt8] = [1, 2, 3]
        FrameWriter.appendFrame(opcode: .binary, payload: payload, mask: 0x4433_2211, to: &out)
        expectEqual(out, [1, 2, 3] + rawFrame(0x2, payload))
    }

    @Test("A long control frame is our own mistake and traps (RFC 6455 §5.5)")
    func longControlTraps() async {
        await #expect(processExitsWith: .failure) {
            var out: [UInt8] = []
            FrameWriter.appendHeader(opcode: .ping, length: 126, to: &out)
        }
    }
}
