import Clocks
import Foundation
import MockServer
import SocketTransport
import TestSupport

/// From saving a fixture to the moment new sessions speak it (under 200 ms).
func saveBenchmark() async {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("save-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("talk.json5")
    func text(_ number: Int) -> Data {
        Data("{ fixture: 1, name: 'T', about: 'A test.', greeting: [{ say: 'version \(number)' }] }".utf8)
    }
    do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try text(0).write(to: file)
        let log = Gathering<String>()
        var configuration = Configuration()
        configuration.fixture = "talk"
        configuration.fixturesFolder = folder.path
        configuration.log = .text { log.append($0) }
        let server = try await MockServer.start(configuration)
        let clock = SystemClock()
        var times: [Double] = []
        for number in 1...20 {
            let begun = clock.now
            try text(number).write(to: file)
            try await log.wait { $0.filter { $0.contains("reloaded") }.count == number ? true : nil }
            times.append(Double((clock.now - begun).nanoseconds) / 1e6)
        }
        await server.stop()
        report("from saving a fixture to its effect", times.sorted(), "ms")
    } catch {
        tell("saving: \(error)")
    }
}
