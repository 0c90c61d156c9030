/// Bytes of one socket that the kernel has not taken yet, oldest first.
///
/// Short writes are gathered in one piece, so that a batch of them leaves with one call. Long payloads are
/// kept by reference and may be shared with other sockets.
final class OutputQueue {
    enum Outcome: Equatable {
        case emptied
        /// The kernel's buffer is full; go on when the socket is ready for output.
        case blocked
        case failed(errno: Int32)
    }

    /// Unsent bytes.
    private(set) var count = 0

    private var pieces: [[UInt8]] = [[]]
    /// The oldest piece that has something left, and how much of it is gone.
    private var first = 0
    private var offset = 0
    /// The last piece is ours to append to.
    private var isLastOpen = true

    func append(_ bytes: UnsafeRawBufferPointer) {
        openPiece(for: bytes.count)
        pieces[pieces.count - 1].append(contentsOf: bytes)
        count += bytes.count
    }

    func append(_ bytes: [UInt8]) {
        openPiece(for: bytes.count)
        pieces[pieces.count - 1].append(contentsOf: bytes)
        count += bytes.count
    }

    /// Lets `fill` append to the piece in place.
    func append(reserving expected: Int, _ fill: (inout [UInt8]) -> Void) {
        openPiece(for: expected)
        let last = pieces.count - 1
        let before = pieces[last].count
        fill(&pieces[last])
        precondition(pieces[last].count >= before, "output can only be appended to")
        count += pieces[last].count - before
    }

    /// Keeps `bytes` without copying them.
    func appendShared(_ bytes: [UInt8]) {
        pieces.append(bytes)
        isLastOpen = false
        count += bytes.count
    }

    /// Hands over as much as the kernel takes. An emptied queue is ready for new output.
    func send(to descriptor: Int32) -> Outcome {
        while count > 0 {
            let left = pieces[first].count - offset
            guard left > 0 else {
                dropFirstPiece()
                continue
            }
            let moreFollows = left < count
            let sent = pieces[first].withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return 0 }
                return SystemCalls.transmit(descriptor, base + offset, left, moreFollows: moreFollows)
            }
            guard sent >= 0 else {
                let code = Int32(-sent)
                return SystemCalls.isRetriedLater(code) ? .blocked : .failed(errno: code)
            }
            offset += sent
            count -= sent
            // A short write means a full buffer: asking again would only tell so.
            if sent < left { return .blocked }
        }
        reset()
        return .emptied
    }

    /// Makes the queue empty. A piece of moderate size stays for the next user.
    func reset() {
        let isReusable = pieces.count == 1 && isLastOpen && pieces[0].capacity <= Limits.spareOutputBytes
        if isReusable {
            pieces[0].removeAll(keepingCapacity: true)
        } else {
            pieces = [[]]
        }
        isLastOpen = true
        first = 0
        offset = 0
        count = 0
    }

    private func openPiece(for bytes: Int) {
        if isLastOpen {
            let filled = pieces[pieces.count - 1].count
            // A piece that is being sent while it grows would never be freed: it ends at a certain size.
            if filled == 0 || filled + bytes <= Limits.outputPieceBytes { return }
        }
        pieces.append([])
        isLastOpen = true
    }

    private func dropFirstPiece() {
        pieces[first] = []
        first += 1
        offset = 0
        if first == 32, first < pieces.count {
            pieces.removeFirst(first)
            first = 0
        }
    }
}
