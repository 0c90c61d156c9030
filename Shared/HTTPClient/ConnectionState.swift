import Clocks
import SocketTransport

/// State of one request or WebSocket on the loop, from address resolution to the last byte.
final class ConnectionState {
    let number: Int
    let host: String
    let timeout: Interval?
    /// Maximum time between two parts of a streamed response. Nil: no limit.
    let silence: Interval?
    /// Nil: no backpressure.
    let backlog: Backlog?
    let report: @Sendable (HTTPClient.Report) -> Void
    /// The part of the body that is not yet sent. Nil if none is left.
    var body: BodyRest?
    /// Length of a body whose progress is reported, and the number of its bytes that were reported as sent.
    let bodyBytes: Int?
    var sentBytes = 0
    /// Nil after the end was reported.
    var exchange: Exchange?
    var race = AddressRace([])
    /// Connection attempts in progress. The first that succeeds is used.
    var dialling: [SocketID] = []
    var socket: SocketID?
    /// The error of the last attempt, or the reason why no attempt was possible.
    var lastFailure: SocketError
    /// Time at which the connection fails or is closed. Nil: no limit.
    var deadline: Instant?
    /// The time at which the next address is tried, even during an attempt (RFC 8305).
    var nextTry: Instant?
    private let timer: any EventTimer

    init(
        number: Int, _ request: HTTPClient.Request, _ exchange: Exchange, backlog: Backlog?, at now: Instant,
        lastFailure: SocketError, timer: any EventTimer,
        report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) {
        self.number = number
        host = request.endpoint.host
        timeout = request.timeout
        silence = request.limitsSilence ? request.timeout : nil
        self.exchange = exchange
        let isInPieces = request.bodyFile != nil || request.reportsProgress
        body = isInPieces ? BodyRest(request) : nil
        bodyBytes = request.reportsProgress ? request.bodyFile?.byteCount ?? request.body.count : nil
        self.backlog = backlog
        deadline = request.timeout.map { now + $0 }
        self.lastFailure = lastFailure
        self.timer = timer
        self.report = report
    }

    func armTimer() {
        if let next = [deadline, nextTry].compactMap({ $0 }).min() {
            timer.arm(at: next)
        } else {
            timer.disarm()
        }
    }
}

/// The part of a body that is not yet sent: of a file, or of bytes in memory.
struct BodyRest {
    private enum Source {
        case file(Files.Reader?)
        case bytes([UInt8])
    }

    private let source: Source
    private(set) var missing: Int

    init(_ request: HTTPClient.Request) {
        if let file = request.bodyFile {
            (source, missing) = (.file(Files.Reader(file.path)), file.byteCount)
        } else {
            (source, missing) = (.bytes(request.body), request.body.count)
        }
    }

    /// Returns the next bytes: none at the end, nil if the file cannot be read or does not have its announced length.
    mutating func next(atMost limit: Int) -> [UInt8]? {
        let piece: [UInt8]?
        switch source {
        // Reads one byte more than announced, to notice a file that has grown.
        case .file(let reader): piece = reader?.next(atMost: min(limit, missing + 1))
        case .bytes(let bytes): piece = Array(bytes.suffix(missing).prefix(limit))
        }
        guard let piece, piece.count <= missing, !piece.isEmpty || missing == 0 else { return nil }
        missing -= piece.count
        return piece
    }
}
