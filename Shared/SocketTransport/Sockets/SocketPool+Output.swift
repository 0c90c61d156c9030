extension SocketPool {
    /// Queues a copy of `bytes`. It leaves at the end of the running ``drain(_:)``, or with ``flush()``.
    ///
    /// Ignored when the socket is gone, closing, or its output has ended: the event that says so is on its
    /// way.
    package func write(_ id: SocketID, _ bytes: [UInt8]) {
        guard let slot = find(id), let output = output(of: slot) else { return }
        if bytes.count >= limits.sharedPayloadBytes {
            output.appendShared(bytes)
        } else {
            output.append(bytes)
        }
        appended(slot, output)
    }

    /// Queues a copy of lent bytes.
    package func write(_ id: SocketID, _ bytes: UnsafeRawBufferPointer) {
        guard let slot = find(id), let output = output(of: slot) else { return }
        output.append(bytes)
        appended(slot, output)
    }

    /// Queues a header of a few bytes and a payload. A long payload is not copied, so that many sockets can
    /// hold the same one; a short one is, because that costs less than keeping track of it.
    package func write(_ id: SocketID, _ header: [UInt8], _ payload: [UInt8]) {
        header.withUnsafeBytes { write(id, $0, payload) }
    }

    /// Queues a lent header of a few bytes and a payload that may be shared.
    package func write(_ id: SocketID, _ header: UnsafeRawBufferPointer, _ payload: [UInt8]) {
        guard let slot = find(id), let output = output(of: slot) else { return }
        output.append(header)
        if payload.count >= limits.sharedPayloadBytes {
            output.appendShared(payload)
        } else {
            output.append(payload)
        }
        appended(slot, output)
    }

    /// Lets `fill` append its bytes to the output buffer itself, which saves a copy and an allocation.
    ///
    /// `fill` must not call the pool. `expected` is a guess at how many bytes it appends.
    package func write(_ id: SocketID, reserving expected: Int, _ fill: (inout [UInt8]) -> Void) {
        guard let slot = find(id), let output = output(of: slot) else { return }
        output.append(reserving: expected, fill)
        appended(slot, output)
    }

    /// Unsent bytes of the socket.
    package func pendingBytes(_ id: SocketID) -> Int {
        find(id).flatMap { entries[$0].output?.count } ?? 0
    }

    /// Bytes that the kernel took so far, counted up to 2³² and then again from 0: they grow as the peer reads.
    package func sentBytes(_ id: SocketID) -> UInt32 {
        find(id).map { entries[$0].sent } ?? 0
    }

    /// Bytes that the peer has acknowledged, counted like ``sentBytes(_:)``. The kernel takes more only when much of its
    /// buffer is free, which a slow reader of a large one may leave for minutes.
    package func acknowledgedBytes(_ id: SocketID) -> UInt32 {
        guard let slot = find(id) else { return 0 }
        let waiting = SystemCalls.unacknowledged(entries[slot].descriptor)
        return entries[slot].sent &- UInt32(truncatingIfNeeded: waiting)
    }

    /// Sends what was written to this socket, and does not wait for the end of the turn.
    package func flush(_ id: SocketID) {
        guard let slot = find(id), entries[slot].state.contains(.dirty) else { return }
        entries[slot].state.remove(.dirty)
        if !entries[slot].state.contains(.connecting) { sendOutput(slot) }
    }

    /// Tries one send for every socket that was written to.
    func flushDirty() {
        guard !dirtySlots.isEmpty else { return }
        share(among: dirtySlots.count)
        var index = 0
        // Grows when a socket fails and its event is delivered later; never during the loop itself.
        while index < dirtySlots.count {
            let slot = Int(dirtySlots[index])
            index += 1
            guard entries[slot].state.contains(.dirty) else { continue }
            entries[slot].state.remove(.dirty)
            if !entries[slot].state.contains(.connecting) { sendOutput(slot) }
        }
        dirtySlots.removeAll(keepingCapacity: true)
        share(among: 1)
    }

    /// Gives each of `count` sockets its share of what a turn may send.
    func share(among count: Int) {
        typealias Limits = SocketTransport.Limits
        sendSpan = min(Limits.sentPerSocket, max(Limits.sentPerTurn / count, Limits.leastSent))
    }

    /// Sends as much as the kernel takes and schedules the rest.
    func sendOutput(_ slot: Int, share: Int? = nil) {
        guard let output = entries[slot].output else { return }
        let before = output.count
        let outcome = output.send(to: entries[slot].descriptor, share: share ?? sendSpan)
        entries[slot].sent &+= UInt32(truncatingIfNeeded: before - output.count)
        totals.sent &+= UInt64(before - output.count)
        switch outcome {
        case .emptied:
            entries[slot].output = nil
            recycle(output)
            noteDrained(slot)
            if entries[slot].state.contains(.blocked) {
                entries[slot].state.remove(.blocked)
                updateInterest(slot)
            }
            outputEmptied(slot)
        case .blocked:
            noteDrained(slot)
            if !entries[slot].state.contains(.blocked) {
                entries[slot].state.insert(.blocked)
                updateInterest(slot)
            }
        case .failed(let code):
            fail(slot, SocketError(.write, errno: code))
        }
    }

    /// All output is out: ends our direction if that was asked for.
    func outputEmptied(_ slot: Int) {
        guard entries[slot].descriptor >= 0 else { return }
        let state = entries[slot].state
        guard state.contains(.endAfterOutput), !state.contains(.outputEnded) else { return }
        entries[slot].state.insert(.outputEnded)
        SystemCalls.shutDownOutput(entries[slot].descriptor)
        if state.contains(.inputEnded) { fail(slot, nil) }
    }

    func recycle(_ output: OutputQueue) {
        guard spareQueues.count < Limits.spareOutputQueues else { return }
        if output.count > 0 { output.reset() }
        spareQueues.append(output)
    }

    /// The queue to append to; nil when the socket takes no more output.
    private func output(of slot: Int) -> OutputQueue? {
        guard !entries[slot].state.contains(.endAfterOutput) else { return nil }
        if let output = entries[slot].output { return output }
        let output = spareQueues.popLast() ?? OutputQueue(of: account)
        entries[slot].output = output
        return output
    }

    private func appended(_ slot: Int, _ output: OutputQueue) {
        if output.count > limits.highWaterBytes {
            let id = id(at: slot)
            // A burst for a peer that reads fast enough must not look like a peer that does not read.
            if entries[slot].state.isDisjoint(with: [.blocked, .connecting]) { sendOutput(slot) }
            if (entries[slot].output?.count ?? 0) > limits.writeBufferBytes { sendOutput(slot, share: .max) }
            guard isCurrent(slot, id.generation), let left = entries[slot].output?.count else { return }
            if left > limits.writeBufferBytes {
                fail(slot, SocketError(.write, .tooMuchOutput(limitBytes: limits.writeBufferBytes)))
                return
            }
            if left > limits.highWaterBytes, !entries[slot].state.contains(.owesWritable) {
                entries[slot].state.insert(.owesWritable)
                tellLater(.behind(id))
            }
        }
        if account.bytes > limits.outputTotalBytes {
            let id = id(at: slot)
            dropFurthestBehind()
            guard isCurrent(slot, id.generation) else { return }
        }
        if entries[slot].state.isDisjoint(with: [.dirty, .blocked]) {
            entries[slot].state.insert(.dirty)
            dirtySlots.append(UInt32(slot))
        }
    }

    /// Closes the connections for which most waits, until all have room.
    private func dropFurthestBehind() {
        while account.bytes > limits.outputTotalBytes {
            let costs = entries.indices.lazy.compactMap { slot in
                self.entries[slot].output.map { (slot: slot, cost: $0.cost) }
            }
            guard let most = costs.max(by: { $0.cost < $1.cost }), most.cost > 0 else { return }
            fail(most.slot, SocketError(.write, .tooMuchOutputOfAll(limitBytes: limits.outputTotalBytes)))
        }
    }

    private func noteDrained(_ slot: Int) {
        guard entries[slot].state.contains(.owesWritable) else { return }
        guard (entries[slot].output?.count ?? 0) <= limits.lowWaterBytes else { return }
        entries[slot].state.remove(.owesWritable)
        tellLater(.writable(id(at: slot)))
    }
}
