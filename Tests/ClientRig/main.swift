// Drives the SDK's WebSocket transport through the cases of a client conformance rig, whose address is in the
// environment variable WS_RIG: ask for a case, connect, send every message back, report how it ended.

import Clocks
import Foundation
import PolyMessaging
import SocketTransport
import Texts

struct Rig {
    let address: String
    let network = PlainNetwork(clock: SystemClock(), seed: UInt64.random(in: UInt64.min...UInt64.max))

    func run() async throws {
        while true {
            let next = try await ask("/next", "{}")
            if next["done"] == .bool(true) { return }
            guard let name = next["case"]?.string, let text = next["url"]?.string, let url = URL(string: text)
            else { throw RigError.unexpected(next) }
            var outcome = await connect(to: url)
            outcome.members.append(.init("case", .string(name)))
            var body: [UInt8] = []
            JSONWriter.value(.object(outcome), into: &body)
            _ = try await ask("/result", String(decoding: body, as: UTF8.self))
        }
    }

    /// One case, from the dialling to the end.
    private func connect(to url: URL) async -> JSONObject {
        let (reports, continuation) = AsyncStream.makeStream(of: SocketReport.self)
        let socket = network.dial(url) { report in
            continuation.yield(report)
            switch report {
            case .closed, .failed: continuation.finish()
            case .opened, .text, .binary: break
            }
        }
        var outcome: JSONObject = ["opened": .bool(false)]
        for await report in reports {
            switch report {
            case .opened: outcome.members.append(.init("opened", .bool(true)))
            case .text(let bytes):
                answer(bytes, on: socket)
                socket.taken(bytes.count)
            case .binary(let bytes):
                socket.sendBinary(bytes)
                socket.taken(bytes.count)
            case .closed(let event):
                outcome.members.append(.init("close_code", .integer(Int64(event.code))))
                outcome.members.append(.init("close_reason", .string(event.reason)))
            case .failed(.refused(let status, _)):
                outcome.members.append(.init("http_status", .integer(Int64(status))))
            case .failed(let fault): outcome.members.append(.init("error", .string("\(fault)")))
            }
        }
        return outcome
    }

    private func answer(_ bytes: [UInt8], on socket: any DialledSocket) {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard words.first == "rig:close", words.count > 1, let code = Int(words[1]) else {
            return socket.send(bytes)
        }
        socket.close(code: code, reason: words.count > 2 ? String(words[2]) : "")
    }

    private func ask(_ path: String, _ body: String) async throws -> JSONValue {
        guard let url = URL(string: address + path) else { throw RigError.noAddress }
        let call = HTTPCall(url: url, body: Array(body.utf8))
        let reply = await withCheckedContinuation { continuation in
            network.post(call) { continuation.resume(returning: $0) }
        }
        guard case .answered(_, _, let bytes) = reply else { throw RigError.noAnswer(reply) }
        return try JSONReader.read(bytes)
    }
}

enum RigError: Error {
    case noAddress
    case noAnswer(RESTReply)
    case unexpected(JSONValue)
}

guard let address = ProcessInfo.processInfo.environment["WS_RIG"] else {
    FileHandle.standardError.write(Data("Set WS_RIG to the address of the rig.\n".utf8))
    exit(2)
}
try await Rig(address: address).run()
