// Drives the SDK's WebSocket transport through the cases of a client conformance rig, whose address is in the
// environment variable WS_RIG: ask for a case, connect, send every message back, report how it ended.

import ClientSupport
import Clocks
import Foundation
import HTTPClient
import PolyMessaging
import SocketTransport
import Texts
import WebSocketCore

struct Rig {
    let address: String
    let network = HTTPClient(
        label: "rig", clock: SystemClock(), seed: UInt64.random(in: UInt64.min...UInt64.max),
        unsentBytes: ProcessNetwork.unsentBytes)

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
        let (reports, continuation) = AsyncStream.makeStream(of: HTTPClient.Report.self)
        let socket = network.dial(url) { report in
            continuation.yield(report)
            if report.isEnd { continuation.finish() }
        }
        var outcome: JSONObject = ["opened": .bool(false)]
        for await report in reports {
            if case .binary(let bytes) = report { socket.send(.binary, bytes) }
            switch ClientCore.Input(report, attempt: 1) {
            case .socketOpened: outcome.members.append(.init("opened", .bool(true)))
            case .socketText(_, let bytes): answer(bytes, on: socket)
            case .socketClosed(_, let event):
                outcome.members.append(.init("close_code", .integer(Int64(event.code))))
                outcome.members.append(.init("close_reason", .string(event.reason)))
            case .socketFailed(_, .refused(let status, _)):
                outcome.members.append(.init("http_status", .integer(Int64(status))))
            case .socketFailed(_, let fault): outcome.members.append(.init("error", .string("\(fault)")))
            default: break
            }
            if let size = report.byteCount { socket.taken(size) }
        }
        return outcome
    }

    private func answer(_ bytes: [UInt8], on socket: any WebExchange) {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard words.first == "rig:close", words.count > 1, let code = Int(words[1]) else {
            return socket.send(.text, bytes)
        }
        _ = socket.close(code, reason: words.count > 2 ? String(words[2]) : "")
    }

    private func ask(_ path: String, _ body: String) async throws -> JSONValue {
        guard let url = URL(string: address + path) else { throw RigError.noAddress }
        let target = try WebAddress(url)
        var request = HTTPClient.Request(
            "POST", target.endpoint, target.target, answerBytes: MessagingLimits.responseBytes,
            timeout: MessagingLimits.exchangeTimeout)
        request.body = Array(body.utf8)
        let report = await withCheckedContinuation { continuation in
            network.send(request) { continuation.resume(returning: $0) }
        }
        guard case .answered(let answer) = report else { throw RigError.noAnswer(report) }
        return try JSONReader.read(answer.body)
    }
}

enum RigError: Error {
    case noAddress
    case noAnswer(HTTPClient.Report)
    case unexpected(JSONValue)
}

guard let address = ProcessInfo.processInfo.environment["WS_RIG"] else {
    FileHandle.standardError.write(Data("Set WS_RIG to the address of the rig.\n".utf8))
    exit(2)
}
try await Rig(address: address).run()
