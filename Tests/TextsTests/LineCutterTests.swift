import Expectations
import Testing
import Texts

@Suite("Lines of standard input")
struct LineCutterTests {
    @Test("Lines are the same wherever the pieces begin and end; the last needs no line end")
    func pieces() {
        let bytes = Array("ä\r\n\nb\nlast".utf8)
        for cut in 0...bytes.count {
            var cutter = LineCutter(limit: 100)
            var lines: [String] = []
            for piece in [bytes[..<cut], bytes[cut...]] where !piece.isEmpty {
                lines += cutter.add(Array(piece))
            }
            lines += cutter.add([])
            let more = cutter.add([])
            expectEqual(lines, ["ä", "", "b", "last"])
            expectEqual(more, [])
        }
    }

    @Test("A line is cut at its limit")
    func limit() {
        var cutter = LineCutter(limit: 5)
        let lines = cutter.add(Array("123".utf8)) + cutter.add(Array("4567\nabc\n".utf8))
        expectEqual(lines, ["12345", "abc"])
    }
}
