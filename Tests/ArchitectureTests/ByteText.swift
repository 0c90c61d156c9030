#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A text that the C library searches: the checks look at every byte of the repository, in debug builds too.
struct ByteText: Sendable {
    let text: String
    let bytes: [UInt8]

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// Where `needle` begins.
    func places(of needle: String) -> [Int] {
        var places: [Int] = []
        var rest = 0
        while let place = place(of: needle, from: rest) {
            places.append(place)
            rest = place + 1
        }
        return places
    }

    func contains(_ needle: String) -> Bool { place(of: needle, from: 0) != nil }

    private func place(of needle: String, from start: Int) -> Int? {
        text.withCString { base -> Int? in
            var start = start
            // Each round ends at a NUL, mostly that behind the text.
            while start < bytes.count {
                if let found = strstr(base + start, needle) { return UnsafePointer(found) - base }
                start += strlen(base + start) + 1
            }
            return nil
        }
    }

    /// Where `needle` begins as a word: where it begins with a letter, a word has to begin there; likewise at its end,
    /// unless `endsAnywhere`.
    func words(_ needle: String, endsAnywhere: Bool = false) -> [Int] {
        guard let first = needle.utf8.first, let last = needle.utf8.last else { return [] }
        return places(of: needle).filter { start in
            let end = start + needle.utf8.count
            let goesOnLeft = start > 0 && Line.isWordPart(bytes[start - 1])
            let goesOnRight = !endsAnywhere && end < bytes.count && Line.isWordPart(bytes[end])
            return !(goesOnLeft && Line.isWordPart(first) || goesOnRight && Line.isWordPart(last))
        }
    }

    /// The lines with one of `places`, in their order.
    func lines(at places: [Int]) -> [Line] {
        var lines: [Line] = []
        var number = 1
        var start = 0
        for place in places.sorted() {
            while let end = end(ofLineAt: start), end < place {
                number += 1
                start = end + 1
            }
            if lines.last?.number == number { continue }
            lines.append(
                Line(number: number, bytes: bytes[start..<(end(ofLineAt: start) ?? bytes.count)]))
        }
        return lines
    }

    /// How many line breaks there are.
    var lineCount: Int { places(of: "\n").count }

    /// Where the line break is; nil in the last line.
    private func end(ofLineAt start: Int) -> Int? {
        place(of: "\n", from: start)
    }
}

/// Looks at the system's files by their names.
enum Disk {
    static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
}
