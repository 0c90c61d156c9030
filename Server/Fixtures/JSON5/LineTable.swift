package import Matching
import Texts

/// Table of lines and columns for byte offsets. Both begin at 1. Lines end with LF, CR or CRLF. Columns count Unicode
/// scalars.
package struct LineTable: Equatable, Sendable {
    private static let blockBytes = 256

    private let bytes: [UInt8]
    private let lineStarts: [Int]
    private let scalarsBefore: [Int]

    /// Builds the table. `textStart` is the offset after the byte-order mark, if there is one.
    init(_ bytes: [UInt8], textStart: Int) {
        var lineStarts = [textStart]
        var scalarsBefore: [Int] = []
        var scalars = 0
        bytes.withUnsafeBufferPointer { buffer in
            for index in 0..<buffer.count {
                if index % Self.blockBytes == 0 { scalarsBefore.append(scalars) }
                let byte = buffer[index]
                if byte & 0xC0 != 0x80 { scalars += 1 }
                let isBreak =
                    byte == 0x0A || byte == 0x0D && !(index + 1 < buffer.count && buffer[index + 1] == 0x0A)
                if isBreak { lineStarts.append(index + 1) }
            }
        }
        self.bytes = bytes
        self.lineStarts = lineStarts
        self.scalarsBefore = scalarsBefore
    }

    package func place(at offset: Int) -> SourcePlace {
        let offset = min(max(offset, lineStarts[0]), bytes.count)
        let line = lineStarts.firstPlace { $0 > offset }
        return SourcePlace(
            line: line, column: scalars(before: offset) - scalars(before: lineStarts[line - 1]) + 1)
    }

    private func scalars(before offset: Int) -> Int {
        guard !scalarsBefore.isEmpty else { return 0 }
        let block = min(offset / Self.blockBytes, scalarsBefore.count - 1)
        var count = scalarsBefore[block]
        for index in block * Self.blockBytes..<offset where bytes[index] & 0xC0 != 0x80 { count += 1 }
        return count
    }
}
