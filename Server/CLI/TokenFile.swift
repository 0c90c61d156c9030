import SocketTransport

/// A control token given as a flag's value: the path of a file with the token, or the token itself.
enum TokenFile {
    enum Problem: Error {
        /// The value is, or looks like, a path that cannot be read.
        case missing
        case notOneWord
    }

    static func token(_ word: String) throws(Problem) -> String {
        guard let bytes = Files.read(word, atMost: VerbLimits.secret) else {
            guard !Files.exists(word), !looksLikePath(word) else { throw .missing }
            return word
        }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 1, bytes.count <= VerbLimits.secret else { throw .notOneWord }
        return String(words[0])
    }

    /// Whether `word` looks like a path: `a/b`, `~name`, `.name` or `name.txt`. A signed token such as `a.b.c` does
    /// not.
    private static func looksLikePath(_ word: String) -> Bool {
        if word.contains("/") || word.contains("\\") || word.hasPrefix("~") || word.hasPrefix(".") {
            return true
        }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let ending = parts.last else { return false }
        return (1...8).contains(ending.count) && ending.allSatisfy(\.isLetter)
    }
}
