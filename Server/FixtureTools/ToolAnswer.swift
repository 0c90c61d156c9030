/// Result of a command: its output and exit code.
package struct ToolAnswer: Equatable, Sendable {
    package var lines: [String]
    package var file: [UInt8]?
    package var talk: [String]
    /// Exit code: 0 for success, 1 for findings or a failure, 2 for an invalid command line.
    package var code: Int32

    package init(lines: [String] = [], file: [UInt8]? = nil, talk: [String] = [], code: Int32 = 0) {
        self.lines = lines
        self.file = file
        self.talk = talk
        self.code = code
    }

    package static func misuse(_ sentence: String) -> ToolAnswer {
        ToolAnswer(talk: ["polymock: " + sentence], code: 2)
    }
}
