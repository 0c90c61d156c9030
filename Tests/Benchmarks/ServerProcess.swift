import Foundation

/// The built binary, running on a free port.
final class ServerProcess {
    let process = Process()
    let port: UInt16

    init(binary: String, arguments: [String] = []) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: binary)
        process.arguments = ["--port", "0", "--log", "quiet"] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let byte = output.fileHandleForReading.readData(ofLength: 1)
            guard !byte.isEmpty else { throw CocoaError(.executableLoad) }
            line += byte
        }
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let digits = text.split(separator: ":").last, let port = UInt16(digits) else {
            throw CocoaError(.executableLoad)
        }
        self.port = port
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Kilobytes of resident memory.
    var residentKilobytes: Int {
        let status =
            (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        for line in status.split(separator: "\n") where line.hasPrefix("VmRSS:") {
            return Int(line.filter(\.isNumber)) ?? 0
        }
        return 0
    }
}
