/// How the program ends (chat-ui 4.5).
enum ExitCode {
    static let done: Int32 = 0
    static let usage: Int32 = 1
    /// The output could not be written.
    static let output: Int32 = 1
    static let connection: Int32 = 2
    static let expectation: Int32 = 3
    static let timeout: Int32 = 4
    static let interrupted: Int32 = 130
}
