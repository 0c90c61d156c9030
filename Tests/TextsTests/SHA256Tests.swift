import Expectations
import Testing
import Texts

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "SHA-256 gives the published digests (FIPS 180-4)",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("a", 10_000, "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711"),
        ] as [(String, Int, String)])
    func digests(_ text: String, _ count: Int, _ digest: String) {
        expectEqual(SHA256.hex(of: Array(String(repeating: text, count: count).utf8)), digest)
    }

    @Test("A message hashed in two parts gives the same digest, wherever it is cut")
    func parts() {
        let message = (0..<150).map { UInt8($0) }
        for cut in 0...message.count {
            var hash = SHA256()
            hash.update(Array(message[..<cut]))
            hash.update(Array(message[cut...]))
            expectEqual(hash.finish(), SHA256.digest(of: message))
        }
    }

    /// Without the instructions both are the same code.
    @Test("The processor's instructions give the same digests as portable code, at any length and cuts")
    func instructions() {
        var random = Random(state: 0x5348_4132)
        for _ in 0..<2_000 {
            let message = (0..<random.below(400)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            var (fast, portable) = (SHA256(), SHA256(portably: true))
            portable.update(message)
            var rest = message[...]
            while !rest.isEmpty {
                let part = rest.prefix(1 + random.below(130))
                fast.update(Array(part))
                rest = rest.dropFirst(part.count)
            }
            expectEqual(fast.finish(), portable.finish())
        }
    }
}
