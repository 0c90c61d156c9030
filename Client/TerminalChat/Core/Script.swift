struct Script: Equatable, Sendable {
    struct Turn: Equatable, Sendable {
        var text: String
        var expectations: [String]
    }

    private(set) var turns: [Turn] = []
    private var head = 0
    /// Expected patterns that come before the first message. They apply to the replies to the first message.
    private(set) var early: [String] = []

    var isEmpty: Bool { head == turns.count }

    init() {}

    /// Assigns each pattern to the message before it, or to the first message.
    init(_ steps: [ChatOptions.Step], lines: (String) -> [String] = { _ in [] }) {
        for step in steps {
            switch step {
            case .say(let text): append(text)
            case .file(let path): for line in lines(path) { append(line) }
            case .expect(let pattern):
                if turns.isEmpty {
                    early.append(pattern)
                } else {
                    turns[turns.count - 1].expectations.append(pattern)
                }
            }
        }
    }

    mutating func append(_ text: String) {
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
