/// Script of a chat: messages to send, and expected replies.
struct Script: Equatable, Sendable {
    struct Turn: Equatable, Sendable {
        var text: String
        var expectations: [String]
    }

    private(set) var turns: [Turn] = []
    private var head = 0
    /// Expectations that came before anything was said, and wait for it.
    private(set) var early: [String] = []

    var isEmpty: Bool { head == turns.count }

    init() {}

    /// An expectation belongs to what was said before it; one in front of everything, to the first turn.
    init(_ steps: [ChatOptions.Step], lines: (String) -> [String] = { _ in [] }) {
        for step in steps {
            switch step {
            case .say(let text): say(text)
            case .file(let path): for line in lines(path) { say(line) }
            case .expect(let pattern):
                if turns.isEmpty {
                    early.append(pattern)
                } else {
                    turns[turns.count - 1].expectations.append(pattern)
                }
            }
        }
    }

    /// Blank lines say nothing.
    mutating func say(_ text: String) {
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        turns.append(Turn(text: text, expectations: early))
        early = []
    }

    mutating func next() -> Turn? {
        guard head < turns.count else { return nil }
        defer { head += 1 }
        return turns[head]
    }
}
