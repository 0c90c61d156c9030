import HTTPCore
import ServerCore
import SocketTransport
import WebSocketCore

/// Performs the outputs of the server: frames and chunks to sockets, work to queues.
extension ServerLoop {
    /// Does what the server wants done, in order, until nothing more comes of it.
    func perform() {
        while !server.outputs.isEmpty || !server.crowded.isEmpty {
            var batch = performed
            swap(&batch, &server.outputs)
            server.outputBytes = 0
            performed = []
            // By reference: a copy of each would count up and down what it holds.
            batch.withUnsafeBufferPointer { batch in
                for index in batch.indices { perform(batch[index]) }
            }
            batch.removeAll(keepingCapacity: batch.count <= ServerLimits.keptOutputs)
            performed = batch
            guard !server.crowded.isEmpty else { continue }
            let crowded = server.crowded
            server.crowded = []
            for (connection, isReader) in crowded { noteOutput(of: connection, isReader: isReader) }
        }
    }

    private func perform(_ output: ServerOutput) {
        switch output {
        case .message(let socket, let opcode, let payload):
            frameHeader.removeAll(keepingCapacity: true)
            FrameWriter.appendHeader(opcode: opcode, length: payload.count, fin: true, to: &frameHeader)
            sockets.write(socket, frameHeader, payload)
        case .compressed(let socket, let opcode, let packed):
            frameHeader.removeAll(keepingCapacity: true)
            FrameWriter.appendCompressedHeader(opcode: opcode, length: packed.count, to: &frameHeader)
            sockets.write(socket, frameHeader, packed)
        case .chunk(let socket, let bytes):
            sockets.write(socket, reserving: bytes.count + TransferChunk.frameBytes) {
                TransferChunk.append(bytes, into: &$0)
            }
        case .write(let socket, let bytes): sockets.write(socket, bytes)
        case .flush(let socket): sockets.flush(socket)
        case .pauseReading(let socket): sockets.pauseReading(socket)
        case .resumeReading(let socket): sockets.resumeReading(socket)
        case .close(let connection):
            sockets.close(connection.socket, afterFlush: true)
            noteTaken(of: connection)
        case .abort(let socket): sockets.abort(socket)
        case .overflow(let connection):
            guard server.connection(of: connection.socket) === connection else { return }
            sockets.abort(connection.socket)
            let limit = server.ledger.limits.held
            server.lose(connection, SocketError(.write, .tooMuchOutputOfAll(limitBytes: limit)))
        case .endOverdue(let connection):
            guard server.connection(of: connection.socket) === connection else { return }
            if !waitsForOutput(connection) { server.abort(connection) }
        case .lookAtOutput(let slot): lookAtOutput(of: slot)
        case .resumeAccepting: sockets.resumeAccepting()
        case .work(let away): start(away)
        case .again(let turn): resume? { loop in loop.input { turn($0) } }
        }
    }

    private func start(_ away: AwayWork) {
        guard let resume else { return }
        let queue = queue(for: away.lane)
        let run = away.run
        queue.async {
            guard let result = run() else { return }
            resume { loop in
                loop.input { result.proceed($0) }
                queue.async { result.drop() }
            }
        }
    }

    func queue(for lane: WorkLane) -> WorkQueue {
        if let queue = queues[lane] { return queue }
        let queue = WorkQueue(label: lane.rawValue, isUrgent: lane == .medium)
        queues[lane] = queue
        return queue
    }
}
