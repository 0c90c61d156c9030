import EmbeddedFixtures

/// Fixtures embedded in the binary.
package enum Embedded {
    package static var names: [String] { all.map { String(cString: $0.name) } }

    package static func fixture(_ name: String) -> [UInt8]? {
        all.first { String(cString: $0.name) == name }
            .map { Array(UnsafeBufferPointer(start: $0.bytes, count: $0.length)) }
    }

    private static var all: [PolymockEmbeddedFixture] {
        (0..<polymock_embedded_fixture_count()).map { polymock_embedded_fixture($0) }
    }
}
