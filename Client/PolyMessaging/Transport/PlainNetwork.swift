package import Clocks
package import HTTPClient
import HTTPCore
import SocketTransport
import WebSocketCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The plain transport: `http` and `ws` over sockets of the system.
///
/// One instance serves any number of clients; ``shared`` is the one of the process.
package final class PlainNetwork: HTTPTransport, SocketDialing {
    /// Real time, one loop for the whole process.
    package static let shared = PlainNetwork(
        clock: SystemClock(), seed: UInt64.random(in: UInt64.min...UInt64.max))

    /// The loop below, for other protocols between the same two ends.
    package let client: HTTPClient

    /// - Parameters:
    ///   - clock: what deadlines are measured with.
    ///   - seed: where handshake keys and masks come from; random outside tests (RFC 6455 §10.3).
    package init(clock: any EventClock, seed: UInt64) {
        client = HTTPClient(
            label: "PolyMessaging.network", clock: clock, seed: seed, unsentBytes: Limits.unsentBytes)
    }

    package func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void) {
        do throws(TransportFault) {
            client.send(try HTTPClient.Request(call)) { report in
                if let reply = RESTReply(report) { completion(reply) }
            }
        } catch {
            completion(.failed(error))
        }
    }

    package func dial(
        _ url: URL, report: @escaping @Sendable (SocketReport) -> Void
    ) -> any DialledSocket {
        do throws(TransportFault) {
            return client.send(try HTTPClient.Request(dialling: url)) { report(SocketReport($0)) }
        } catch {
            report(.failed(error))
            return UndialledSocket()
        }
    }

    /// Closes everything; returns when no descriptor is left.
    package func close() async { await client.close() }

    /// Reads what has arrived, and tells what went through each connection, for tests.
    package func traffic() async -> HTTPClient.Traffic { await client.traffic() }

    /// The same on the caller's thread, which waits; for tests and tools.
    package func trafficHere() -> HTTPClient.Traffic { client.trafficHere() }
}

extension HTTPClient.Connection: DialledSocket {
    package func send(_ text: [UInt8]) { send(.text, text) }
    package func sendBinary(_ bytes: [UInt8]) { send(.binary, bytes) }

    package func close(code: Int, reason: String) {
        if code == ConnectionCloseEvent.abnormalCode { return cut() }
        close(UInt16(exactly: code).map { WebSocketCore.CloseCode(rawValue: $0) } ?? .normal, reason: reason)
    }
}

// MARK: - Translation

extension HTTPClient.Request {
    init(_ call: HTTPCall) throws(TransportFault) {
        let target = try PlainTarget(call.url)
        self.init(
            "POST", target.endpoint, target.path, headers: call.headers, answerBytes: Limits.responseBytes,
            timeout: Limits.exchangeTimeout)
        body = call.body
    }

    init(dialling url: URL) throws(TransportFault) {
        let target = try PlainTarget(url)
        self.init(
            "GET", target.endpoint, target.path, headers: ["User-Agent": UserAgent.text], answerBytes: 0,
            timeout: Limits.exchangeTimeout)
        webSocket = HTTPClient.WebSocketTerms(
            messageBytes: Limits.incomingMessageBytes, unhandledBytes: Limits.unhandledBytes)
    }
}

extension RESTReply {
    /// Nil for what happens to WebSockets alone.
    init?(_ report: HTTPClient.Report) {
        switch report {
        case .answered(let answer):
            self = .answered(
                status: answer.status, retryAfter: answer.headers["Retry-After"], body: answer.body)
        case .failed(let failure): self = .failed(TransportFault(failure))
        case .opened, .text, .binary, .began, .part, .closed: return nil
        }
    }
}

extension SocketReport {
    init(_ report: HTTPClient.Report) {
        switch report {
        case .opened: self = .opened
        case .text(let bytes): self = .text(bytes)
        case .binary(let bytes), .part(let bytes): self = .binary(bytes)
        case .answered(let answer), .began(let answer):
            self = .failed(.refused(status: answer.status, retryAfter: answer.headers["Retry-After"]))
        case .closed(let code, let reason):
            self = .closed(ConnectionCloseEvent(code: Int(code.rawValue), reason: reason, wasClean: true))
        case .failed(let failure):
            switch failure {
            case .lost, .closeUnanswered:
                self = .closed(
                    ConnectionCloseEvent(
                        code: ConnectionCloseEvent.abnormalCode, reason: failure.description, wasClean: false)
                )
            default: self = .failed(TransportFault(failure))
            }
        }
    }
}

extension TransportFault {
    init(_ failure: HTTPClient.Failure) {
        switch failure {
        case .unreachable, .timedOut, .handshakeEnded, .badAnswer(.noResponse, _), .badAnswer(.incomplete, _),
            .lost, .closeUnanswered, .badFile, .shutDown:
            self = .network(failure.description)
        case .tooLong:
            self = .protocolViolation(failure.description + " Is this the address of the Messaging API?")
        case .badAnswer, .onlyInterimAnswers, .badHandshake, .violation:
            self = .protocolViolation(failure.description)
        }
    }
}

extension ConnectionCloseEvent {
    /// No Close frame may carry it: the connection ended without one (RFC 6455 §7.4.1).
    static let abnormalCode = CloseCode.abnormal.rawValue
}
