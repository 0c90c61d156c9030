import SocketTransport

/// The files of one target, in the order of their names.
enum Corpus {
    static let maxFileBytes = 1_048_576

    static func inputs(of target: String, in folder: String) -> [[UInt8]] {
        let path = folder + "/" + target
        return Files.list(path).compactMap { Files.read(path + "/" + $0, atMost: maxFileBytes) }
    }

    /// One input from a file, also from one that a crash left behind.
    static func input(in path: String) -> [UInt8]? {
        let file = Files.read(path, atMost: maxFileBytes)
        return path.hasSuffix(CurrentInput.suffix) ? file.map(CurrentInput.input) : file
    }
}
