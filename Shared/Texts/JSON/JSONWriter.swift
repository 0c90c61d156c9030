/// Writer of JSON into bytes.
public enum JSONWriter {
    /// Public, because the compiler inlines only public functions into other modules.
    @inlinable
    @inline(__always)
    public static func literal(_ text: StaticString, into bytes: inout [UInt8]) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends text that is already JSON.
    package static func verbatim(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a quoted string with the escapes of RFC 8259 §7. `controlsByNumber` writes backspace and form feed as
    /// `\u0008` and `\u000c` instead of `\b` and `\f`.
    package static func string(_ text: String, controlsByNumber: Bool = false, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        // Without the copy that `withUTF8` needs, which retains the text.
        let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable {
            escaped($0, controlsByNumber, into: &bytes)
        }
        if isWritten == nil {
            var text = text
            text.withUTF8 { escaped($0, controlsByNumber, into: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package static func string(utf8 text: [UInt8], into bytes: inout [UInt8]) {
        text.withUnsafeBufferPointer { string(utf8: $0, into: &bytes) }
    }

    package static func string(utf8 text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        escaped(text, false, into: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a string without its quotes.
    package static func escaped(utf8 text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
        escaped(text, false, into: &bytes)
    }

    package static func integer(_ number: Int, into bytes: inout [UInt8]) {
        integer(Int64(number), into: &bytes)
    }

    package static func integer(_ number: Int64, into bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        integer(number.magnitude, into: &bytes)
    }

    package static func integer(_ number: UInt64, into bytes: inout [UInt8]) {
        ByteRoom.append(atMost: 20, to: &bytes) { $0.integer(number) }
    }

    /// Appends the shortest text that reads as the same number; `null` for infinities and NaN.
    package static func double(_ number: Double, into bytes: inout [UInt8]) {
        guard number.isFinite else { return literal("null", into: &bytes) }
        bytes.append(contentsOf: number.description.utf8)
    }

    package static func bool(_ flag: Bool, into bytes: inout [UInt8]) {
        if flag { literal("true", into: &bytes) } else { literal("false", into: &bytes) }
    }

    /// Returns an object on one line, without members that are nil.
    package static func line(_ members: [(String, JSONValue?)]) -> String {
        var bytes: [UInt8] = []
        let object = JSONObject(members.compactMap { name, value in value.map { .init(name, $0) } })
        value(.object(object), into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func value(_ value: JSONValue, into bytes: inout [UInt8]) {
        switch value {
        case .null: literal("null", into: &bytes)
        case .bool(let flag): bool(flag, into: &bytes)
        case .integer(let number): integer(number, into: &bytes)
        case .double(let number): double(number, into: &bytes)
        case .string(let text): string(text, into: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                self.value(element, into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                string(member.name, into: &bytes)
                bytes.append(UInt8(ascii: ":"))
                self.value(member.value, into: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    package static func bytes(_ value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        self.value(value, into: &bytes)
        return bytes
    }

    /// Bytes of text that are escaped at once.
    private static let blockBytes = 160

    /// Appends text with escapes. Plain text is copied as it is; a block with escapes is written on the stack, and
    /// appended once: texts of a contact's message took 14,200 instructions with two appends per escape, and 7,800
    /// byte by byte.
    private static func escaped(
        _ text: UnsafeBufferPointer<UInt8>, _ controlsByNumber: Bool, into bytes: inout [UInt8]
    ) {
        var start = 0
        while start < text.count {
            let plain = PlainText.length(UnsafeRawBufferPointer(text), from: start, isASCII: false)
            if plain >= 32 || start + plain == text.count {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<start + plain]))
                start += plain
                continue
            }
            let end = min(start + blockBytes, text.count)
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6 * blockBytes) { room in
                var count = 0
                var index = start
                while index < end {
                    if index &+ 8 <= end {
                        // All eight are stored, and what follows a byte with an escape is stored again.
                        let word = UnsafeRawBufferPointer(text).loadUnaligned(
                            fromByteOffset: index, as: UInt64.self)
                        UnsafeMutableRawBufferPointer(room).storeBytes(
                            of: word, toByteOffset: count, as: UInt64.self)
                        let plain = PlainText.odd(UInt64(littleEndian: word)).trailingZeroBitCount / 8
                        index &+= plain
                        count &+= plain
                        if plain == 8 { continue }
                    }
                    let byte = text[index]
                    if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                        room[count] = byte
                        count &+= 1
                    } else {
                        escape(byte, controlsByNumber, into: room, &count)
                    }
                    index &+= 1
                }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: room[..<count]))
            }
            start = end
        }
    }

    @inline(__always)
    private static func escape(
        _ byte: UInt8, _ controlsByNumber: Bool, into room: UnsafeMutableBufferPointer<UInt8>,
        _ count: inout Int
    ) {
        let letter: UInt8 =
            switch byte {
            case 0x0A: UInt8(ascii: "n")
            case 0x0D: UInt8(ascii: "r")
            case 0x09: UInt8(ascii: "t")
            case 0x08 where !controlsByNumber: UInt8(ascii: "b")
            case 0x0C where !controlsByNumber: UInt8(ascii: "f")
            case 0x20...: byte
            default: UInt8(ascii: "u")
            }
        room[count] = UInt8(ascii: "\\")
        room[count &+ 1] = letter
        count &+= 2
        guard byte < 0x20, letter == UInt8(ascii: "u") else { return }
        let low = byte & 0xF
        for digit in [0x30, 0x30, byte >> 4 | 0x30, low < 10 ? low + 0x30 : low + 0x57] {
            room[count] = digit
            count &+= 1
        }
    }
}
