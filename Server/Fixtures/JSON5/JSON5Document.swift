package import Matching
import Texts

/// Parsed JSON5 file (JSON5 1.0.0): values, syntax errors and positions.
package struct JSON5Document: Equatable, Sendable {
    package let bytes: [UInt8]
    /// Root of the tree; nil if a problem ended parsing.
    package let root: JSON5Value?
    /// Problems in the order of the file.
    package let problems: [JSON5Problem]
    package let lintComments: [JSON5LintComment]
    private let lines: LineTable

    package init(reading bytes: [UInt8], limits: JSON5Limits = JSON5Limits()) {
        let textStart = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard bytes.count <= limits.fileBytes else {
            self.bytes = []
            lines = LineTable([], textStart: 0)
            root = nil
            lintComments = []
            let message = "the file is larger than the \(limits.fileBytes) bytes it may have"
            problems = [JSON5Problem(message, at: 0)]
            return
        }
        self.bytes = bytes
        lines = LineTable(bytes, textStart: textStart)
        if let bad = UTF8Validator.firstBadByte(in: bytes) {
            root = nil
            lintComments = []
            let byte = String(bytes[bad], radix: 16, uppercase: true)
            let message = "the byte 0x\(byte) is not UTF-8 text; save the file with the encoding UTF-8"
            problems = [JSON5Problem(message, at: bad)]
            return
        }
        var reader = JSON5Reader(bytes, from: textStart, lines: lines, limits: limits)
        var (found, stop) = ([JSON5Problem](), JSON5Problem?.none)
        var root: JSON5Value?
        do throws(JSON5Problem) {
            root = try reader.readDocument()
        } catch {
            stop = error
        }
        self.root = root
        found = reader.problems
        if let stop {
            // On a line that cannot be read to its end, a typographic quote may not be the end of its text.
            let line = lines.place(at: stop.offset).line
            for index in found.indices where lines.place(at: found[index].offset).line == line {
                found[index].correction = nil
            }
            found.append(stop)
        }
        problems = found
        lintComments = reader.lintComments
    }

    package func place(at offset: Int) -> SourcePlace { lines.place(at: offset) }

    package func place(of value: JSON5Value) -> SourcePlace { lines.place(at: value.start) }

    package func source(of value: JSON5Value) -> String {
        String(decoding: bytes[value.range], as: UTF8.self)
    }

    /// Converts a UTF-8 offset in a text value to a byte offset in the file. Escapes are longer than their characters.
    package func offset(of textOffset: Int, in value: JSON5Value) -> Int {
        var index = value.start + 1
        var decoded: [UInt8] = []
        var passed = 0
        while passed < textOffset, index < value.range.upperBound - 1 {
            guard bytes[index] == UInt8(ascii: "\\") else {
                passed += 1
                index += 1
                continue
            }
            decoded.removeAll(keepingCapacity: true)
            guard let next = try? JSON5Escape.decode(bytes, at: index, into: &decoded) else { break }
            guard passed + decoded.count <= textOffset else { break }
            passed += decoded.count
            index = next
        }
        return index
    }
}

/// Limits of one JSON5 file.
package struct JSON5Limits: Equatable, Sendable {
    package var fileBytes = 4 << 20
    /// Maximum nesting depth. The parser recurses once per level.
    package var nesting = 64
    /// Maximum number of values.
    package var values = 200_000
    /// Maximum characters of one number. 400: the largest finite double has 309 digits.
    package var numberBytes = 400

    package init() {}
}
