/// Output of a command with its exit code.
package struct ToolAnswer: Equatable, Sendable {
    /// Data, for standard output.
    package var lines: [String]
    /// A file, for standard output as it is; nil for none.
    package var file: [UInt8]?
    /// Talk, for standard error.
    package var talk: [String]
    /// 0 fine, 1 something was found, 2 invalid command line.
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
