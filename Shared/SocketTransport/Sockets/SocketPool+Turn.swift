/// One turn: reads and handles what is ready, then sends the output.
extension SocketPool {
    /// Handles everything that is ready, then sends what was written meanwhile.
    ///
    /// The handler may call any method of the pool but this one, for any socket. Reports that are overtaken
    /// by such a call are dropped. Returns after ``Limits/reportsPerTurn`` reports, ``Limits/bytesPerTurn`` bytes read or
    /// ``Limits/sentPerTurn`` sent even when more is ready, so that other work on the loop gets its turn; the source
    /// fires again at once.
    package func drain(_ handle: (SocketEvent) -> Void) {
        precondition(!isDraining, "drain is not reentrant")
        isDraining = true
        defer { isDraining = false }
        isTurnQueued = false
        account.beginTurn()
        settle(handle)
        var budget = limits.reportsPerTurn
        let end = totals.received &+ UInt64(limits.bytesPerTurn)
        let sentEnd = totals.sent &+ UInt64(SocketTransport.Limits.sentPerTurn)
        while budget > 0, totals.received < end, totals.sent < sentEnd, !isShutDown {
            let count = readiness.poll()
            guard count > 0 else { break }
            readSpan = min(limits.readBytes, max(limits.turnBytes / count, limits.leastReadBytes))
            share(among: count)
            for index in 0..<count {
                guard !isShutDown else { return }
                handleReport(readiness.report(at: index), handle)
            }
            settle(handle)
            budget -= count
        }
    }

    /// Sends what was written outside of ``drain(_:)``, for example by a timer.
    package func flush() {
        flushDirty()
        if !deferredEvents.isEmpty { requestTurn() }
    }

    private func handleReport(_ report: ReadinessReport, _ handle: (SocketEvent) -> Void) {
        let token = report.token
        if token == .bell {
            // The wait handled its wake-up already; this report is from one that came a moment later.
            _ = doorbell?.isRinging()
            return
        }
        if token.isListener {
            acceptBatch(token, handle)
            return
        }
        let slot = token.slot
        guard isCurrent(slot, token.generation) else { return }
        if entries[slot].state.contains(.connecting) {
            finishConnecting(slot, handle)
            return
        }
        if report.output {
            sendOutput(slot)
            guard isCurrent(slot, token.generation) else { return }
        }
        if entries[slot].interest.contains(.input) {
            if report.input || report.hungUp { readOnce(slot, handle) }
        } else if report.hungUp {
            hungUp(slot)
        }
    }

    /// Sends, delivers the resulting events, and repeats because their handlers may have written more output.
    private func settle(_ handle: (SocketEvent) -> Void) {
        for _ in 0..<Limits.settlingRounds {
            flushDirty()
            if deferredEvents.isEmpty { return }
            let events = deferredEvents
            deferredEvents.removeAll(keepingCapacity: true)
            for event in events { deliver(event, handle) }
        }
        if !dirtySlots.isEmpty || !deferredEvents.isEmpty { requestTurn() }
    }

    private func deliver(_ event: SocketEvent, _ handle: (SocketEvent) -> Void) {
        guard !isShutDown else { return }
        switch event {
        case .closed(let id, _):
            handle(event)
            // Only now may the place be used again: nobody sees a new socket before the end of the old one.
            freeSlots.append(id.slot)
        case .writable(let id), .behind(let id), .connected(let id):
            if find(id) != nil { handle(event) }
        default:
            handle(event)
        }
    }

    /// Queues an event for the end of this turn, or for a separate turn.
    func tellLater(_ event: SocketEvent) {
        deferredEvents.append(event)
        if !isDraining { requestTurn() }
    }

    func requestTurn() {
        guard !isTurnQueued, let queue, let onReady else { return }
        isTurnQueued = true
        queue.async(onReady)
    }

    // MARK: - Input

    /// Stops reading from the peer, which is thereby slowed down (TCP flow control).
    package func pauseReading(_ id: SocketID) {
        guard let slot = find(id), !entries[slot].state.contains(.closing) else { return }
        entries[slot].state.insert(.readingPaused)
        updateInterest(slot)
    }

    package func resumeReading(_ id: SocketID) {
        guard let slot = find(id) else { return }
        entries[slot].state.remove(.readingPaused)
        updateInterest(slot)
    }

    /// One read of at most ``Limits/readBytes``, less while many are busy; the kernel reports again when there is
    /// more.
    func readOnce(_ slot: Int, _ handle: (SocketEvent) -> Void) {
        let span = UnsafeMutableRawBufferPointer(rebasing: readBuffer[..<readSpan])
        let count = SystemCalls.receive(entries[slot].descriptor, into: span)
        if count > 0 {
            entries[slot].received &+= UInt32(truncatingIfNeeded: count)
            totals.received &+= UInt64(count)
            if entries[slot].state.contains(.closing) {
                discard(slot, count)
            } else {
                handle(.received(id(at: slot), UnsafeRawBufferPointer(rebasing: readBuffer[0..<count])))
            }
        } else if count == 0 {
            inputEnded(slot, handle)
        } else {
            let code = Int32(-count)
            if !SystemCalls.isRetriedLater(code) { fail(slot, SocketError(.read, errno: code)) }
        }
    }

    private func discard(_ slot: Int, _ count: Int) {
        entries[slot].discardedBytes += Int32(clamping: count)
        guard Int(entries[slot].discardedBytes) > limits.discardBytes else { return }
        // The peer goes on and on: it is cut off, at the price of a reset.
        fail(slot, nil)
    }

    private func inputEnded(_ slot: Int, _ handle: (SocketEvent) -> Void) {
        let id = id(at: slot)
        entries[slot].state.insert(.inputEnded)
        if !entries[slot].state.contains(.closing) {
            updateInterest(slot)
            handle(.inputClosed(id))
            guard isCurrent(slot, id.generation) else { return }
        }
        if entries[slot].state.contains(.outputEnded) {
            fail(slot, nil)
        } else {
            updateInterest(slot)
        }
    }

    /// A hang-up of a socket that is not being read.
    func hungUp(_ slot: Int) {
        let code = SystemCalls.pendingError(entries[slot].descriptor)
        if code != 0 {
            fail(slot, SocketError(.read, errno: code))
            return
        }
        // Both directions ended in good order and there may be input left. The kernel would report this until
        // it is read, so the socket leaves the set until reading is resumed.
        readiness.remove(entries[slot].descriptor, from: entries[slot].interest)
        entries[slot].interest = []
        entries[slot].state.insert(.unregistered)
    }

    // MARK: - Output

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

    /// Tries one send for every socket with new output.
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

    /// Closes the connections with the most waiting bytes, until the total is below its limit.
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
