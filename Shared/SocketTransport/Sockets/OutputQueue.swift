/// Bytes of one socket that the kernel has not taken yet, oldest first.
///
/// Short writes are gathered in one piece, so that a batch of them leaves with one call. Long payloads are
/// kept by reference and may be shared with other sockets. `@exclusivity(unchecked)`: decision 0001.
final class OutputQueue {
    enum Outcome: Equatable {
        case emptied
        /// The kernel's buffer is full; go on when the socket is ready for output.
        case blocked
        case failed(errno: Int32)
    }

    private struct Piece {
        var bytes: [UInt8] = []
        /// Set if the bytes are shared with other queues, and so count once.
        var payload: SharedPayload?
    }

    /// Unsent bytes.
    @exclusivity(unchecked) private(set) var count = 0
    private let account: OutputAccount

    @exclusivity(unchecked) private var pieces = [Piece()]
    /// The oldest piece with unsent bytes, and the number of bytes already sent.
    @exclusivity(unchecked) private var first = 0
    @exclusivity(unchecked) private var offset = 0
    /// Whether the last piece can be appended to.
    @exclusivity(unchecked) private var isLastOpen = true

    init(of account: OutputAccount) {
        self.account = account
    }

    /// Bytes of memory that are freed when the queue is dropped.
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

    /// Lets `fill` append to the piece in place.
    func append(reserving expected: Int, _ fill: (inout [UInt8]) -> Void) {
        openPiece(for: expected)
        let last = pieces.count - 1
        let before = pieces[last].bytes.count
        fill(&pieces[last].bytes)
        precondition(pieces[last].bytes.count >= before, "output can only be appended to")
        grew(by: pieces[last].bytes.count - before)
    }

    /// Keeps `bytes` without copying them.
    func appendShared(_ bytes: [UInt8]) {
        isLastOpen = false
        guard bytes.count >= Limits.countedPayloadBytes else {
            pieces.append(Piece(bytes: bytes))
            return grew(by: bytes.count)
        }
        let payload = account.payload(bytes)
        payload.users += 1
        pieces.append(Piece(bytes: payload.bytes, payload: payload))
        count += bytes.count
    }

    /// Sends as much as the kernel takes, up to `share` bytes. An emptied queue is ready for new output.
    func send(to descriptor: Int32, share: Int) -> Outcome {
        var share = share
        while count > 0 {
            let rest = pieces[first].bytes.count - offset
            guard rest > 0 else {
                dropFirstPiece()
                continue
            }
            // The kernel may have room for megabytes of each of many sockets. It says so again in the next turn.
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
            // A short write means a full buffer: another call would only fail.
            if sent < left { return .blocked }
        }
        reset()
        return .emptied
    }

    /// Makes the queue empty. A piece of moderate size stays for the next user.
    func reset() {
        if count > 0 {
            for place in first..<pieces.count where pieces[place].payload == nil {
                account.owned -= pieces[place].bytes.count - (place == first ? offset : 0)
            }
        }
        let isReusable =
            pieces.count == 1 && isLastOpen && pieces[0].bytes.capacity <= Limits.spareOutputBytes
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
            // A piece that is being sent while it grows would never be freed: it ends at a certain size.
            if filled == 0 || filled + bytes <= Limits.outputPieceBytes { return }
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
