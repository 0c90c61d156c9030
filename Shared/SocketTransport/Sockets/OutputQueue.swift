/// Queue of one socket's bytes that the kernel has not accepted yet. For `@exclusivity(unchecked)` see decision 0001.
final class OutputQueue {
    enum Outcome: Equatable {
        case emptied
        /// The kernel's buffer is full, or the socket has sent its share.
        case blocked
        case failed(errno: Int32)
    }

    private struct Piece {
        var bytes: [UInt8] = []
        /// The shared payload; nil if the bytes belong to this queue alone.
        var payload: SharedPayload?
    }

    @exclusivity(unchecked) private(set) var count = 0
    private let account: OutputAccount

    @exclusivity(unchecked) private var pieces = [Piece()]
    /// Index of the oldest piece with unsent bytes. Its first `offset` bytes are sent.
    @exclusivity(unchecked) private var first = 0
    @exclusivity(unchecked) private var offset = 0
    @exclusivity(unchecked) private var isLastOpen = true

    init(of account: OutputAccount) {
        self.account = account
    }

    /// Estimated memory in bytes that dropping the queue would free. The size of a shared payload is divided by its
    /// users.
    var cost: Int {
        pieces[first...].reduce(-offset) { cost, piece in
            cost + piece.bytes.count / max(1, piece.payload?.users ?? 1)
        }
    }

    private func grew(by bytes: Int) {
        count += bytes
        account.owned += bytes
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        openPiece(for: bytes.count)
        pieces[pieces.count - 1].bytes.append(contentsOf: bytes)
        grew(by: bytes.count)
    }

    func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    func append(reserving expected: Int, _ fill: (inout [UInt8]) -> Void) {
        openPiece(for: expected)
        let last = pieces.count - 1
        let before = pieces[last].bytes.count
        fill(&pieces[last].bytes)
        precondition(pieces[last].bytes.count >= before, "output can only be appended to")
        grew(by: pieces[last].bytes.count - before)
    }

    func appendShared(_ bytes: [UInt8]) {
        isLastOpen = false
        guard bytes.count >= SocketLimits.countedPayloadBytes else {
            pieces.append(Piece(bytes: bytes))
            return grew(by: bytes.count)
        }
        let payload = account.payload(bytes)
        payload.users += 1
        pieces.append(Piece(bytes: payload.bytes, payload: payload))
        count += bytes.count
    }

    func send(to descriptor: Int32, share: Int) -> Outcome {
        var share = share
        while count > 0 {
            let rest = pieces[first].bytes.count - offset
            guard rest > 0 else {
                dropFirstPiece()
                continue
            }
            // The socket has sent its share of this turn.
            guard share > 0 else { return .blocked }
            let left = min(rest, share)
            let moreFollows = left < count
            let sent = pieces[first].bytes.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return 0 }
                return SystemCalls.transmit(descriptor, base + offset, left, moreFollows: moreFollows)
            }
            guard sent >= 0 else {
                let code = Int32(-sent)
                return SystemCalls.isRetriedLater(code) ? .blocked : .failed(errno: code)
            }
            offset += sent
            count -= sent
            share -= sent
            if pieces[first].payload == nil { account.owned -= sent }
            // A short send means that the kernel's buffer is full.
            if sent < left { return .blocked }
        }
        reset()
        return .emptied
    }

    /// Empties the queue.
    func reset() {
        if count > 0 {
            for place in first..<pieces.count where pieces[place].payload == nil {
                account.owned -= pieces[place].bytes.count - (place == first ? offset : 0)
            }
        }
        let isReusable =
            pieces.count == 1 && isLastOpen && pieces[0].bytes.capacity <= SocketLimits.spareOutputBytes
        if isReusable {
            pieces[0].bytes.removeAll(keepingCapacity: true)
        } else {
            for piece in pieces { piece.payload?.users -= 1 }
            pieces = [Piece()]
        }
        isLastOpen = true
        first = 0
        offset = 0
        count = 0
    }

    private func openPiece(for bytes: Int) {
        if isLastOpen {
            let filled = pieces[pieces.count - 1].bytes.count
            // The size of a piece is limited, because its memory is freed only after all of it is sent.
            if filled == 0 || filled + bytes <= SocketLimits.outputPieceBytes { return }
        }
        pieces.append(Piece())
        isLastOpen = true
    }

    private func dropFirstPiece() {
        pieces[first].payload?.users -= 1
        pieces[first] = Piece()
        first += 1
        offset = 0
        if first == 32, first < pieces.count {
            pieces.removeFirst(first)
            first = 0
        }
    }
}
