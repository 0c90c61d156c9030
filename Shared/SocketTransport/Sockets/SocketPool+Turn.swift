extension SocketPool {
    /// Handles ready sockets and sends the resulting output. `handle` may call the pool's other methods.
    package func drain(_ handle: (SocketEvent) -> Void) {
        precondition(!isDraining, "drain is not reentrant")
        isDraining = true
        defer { isDraining = false }
        isTurnQueued = false
        account.beginTurn()
        settle(handle)
        var budget = limits.reportsPerTurn
        let end = totals.received &+ UInt64(limits.bytesPerTurn)
        let sentEnd = totals.sent &+ UInt64(SocketLimits.sentPerTurn)
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

    /// Sends output that was written outside of ``drain(_:)``.
    package func flush() {
        flushDirty()
        if !deferredEvents.isEmpty { requestTurn() }
    }

    private func handleReport(_ report: ReadinessReport, _ handle: (SocketEvent) -> Void) {
        let token = report.token
        if token == .bell {
            // This wake-up came after the last wait had ended, so it is only reset.
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

    /// Sends output and delivers events, in several rounds, because a handler may write more output.
    private func settle(_ handle: (SocketEvent) -> Void) {
        for _ in 0..<SocketLimits.settlingRounds {
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
            // The slot becomes reusable only after the old socket's end was reported.
            freeSlots.append(id.slot)
        case .writable(let id), .congested(let id), .connected(let id):
            if find(id) != nil { handle(event) }
        default:
            handle(event)
        }
    }

    /// Queues an event for delivery later in the running turn, or in a new turn if none is running.
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

    /// Reads once, at most `readSpan` bytes.
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
        // The peer sent more than `limits.discardBytes` after the close, so the connection is reset.
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

    func hungUp(_ slot: Int) {
        let code = SystemCalls.pendingError(entries[slot].descriptor)
        if code != 0 {
            fail(slot, SocketError(.read, errno: code))
            return
        }
        // The kernel repeats this report until the input is read, so the socket is not watched until reading resumes.
        readiness.remove(entries[slot].descriptor, from: entries[slot].interest)
        entries[slot].interest = []
        entries[slot].state.insert(.unregistered)
    }

    // MARK: - Output

    /// Queues `bytes`, sent by the running ``drain(_:)`` or by ``flush()``. Does nothing if the socket is closed or
    /// closing, or its output has ended.
    package func write(_ id: SocketID, _ bytes: [UInt8]) {
        guard let slot = find(id), let output = takeOutput(of: slot) else { return }
        if bytes.count >= limits.sharedPayloadBytes {
            output.appendShared(bytes)
        } else {
            output.append(bytes)
        }
        appended(slot, output)
    }

    package func write(_ id: SocketID, _ bytes: UnsafeRawBufferPointer) {
        guard let slot = find(id), let output = takeOutput(of: slot) else { return }
        output.append(bytes)
        appended(slot, output)
    }

    package func write(_ id: SocketID, _ header: [UInt8], _ payload: [UInt8]) {
        header.withUnsafeBytes { write(id, $0, payload) }
    }

    /// Queues a copy of a short header, and a payload.
    package func write(_ id: SocketID, _ header: UnsafeRawBufferPointer, _ payload: [UInt8]) {
        guard let slot = find(id), let output = takeOutput(of: slot) else { return }
        output.append(header)
        if payload.count >= limits.sharedPayloadBytes {
            output.appendShared(payload)
        } else {
            output.append(payload)
        }
        appended(slot, output)
    }

    /// Lets `fill` append to the output buffer. `expected` is the approximate size in bytes. `fill` must not call the
    /// pool.
    package func write(_ id: SocketID, reserving expected: Int, _ fill: (inout [UInt8]) -> Void) {
        guard let slot = find(id), let output = takeOutput(of: slot) else { return }
        output.append(reserving: expected, fill)
        appended(slot, output)
    }

    package func pendingBytes(_ id: SocketID) -> Int {
        find(id).flatMap { entries[$0].output?.count } ?? 0
    }

    /// Returns the number of bytes that the kernel has accepted so far, modulo 2³².
    package func sentBytes(_ id: SocketID) -> UInt32 {
        find(id).map { entries[$0].sent } ?? 0
    }

    /// Returns the number of bytes that the peer has acknowledged, modulo 2³².
    package func acknowledgedBytes(_ id: SocketID) -> UInt32 {
        guard let slot = find(id) else { return 0 }
        let waiting = SystemCalls.unacknowledged(entries[slot].descriptor)
        return entries[slot].sent &- UInt32(truncatingIfNeeded: waiting)
    }

    package func flush(_ id: SocketID) {
        guard let slot = find(id), entries[slot].state.contains(.dirty) else { return }
        entries[slot].state.remove(.dirty)
        if !entries[slot].state.contains(.connecting) { sendOutput(slot) }
    }

    func flushDirty() {
        guard !dirtySlots.isEmpty else { return }
        share(among: dirtySlots.count)
        var index = 0
        // `dirtySlots` does not grow here: events of failed sockets are delivered later, so no handler runs.
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

    /// Sets ``sendSpan``, the share of each socket, so that `count` sockets share the bytes of one turn.
    func share(among count: Int) {
        sendSpan = min(
            SocketLimits.sentPerSocket, max(SocketLimits.sentPerTurn / count, SocketLimits.leastSent))
    }

    /// Sends at most `share` bytes of the slot's output, or ``sendSpan`` bytes if nil.
    func sendOutput(_ slot: Int, share: Int? = nil) {
        // Taken out while it is sent, since a copy would retain it.
        var taken: OutputQueue?
        swap(&taken, &entries[slot].output)
        guard let output = consume taken else { return }
        let before = output.count
        let outcome = output.send(to: entries[slot].descriptor, share: share ?? sendSpan)
        let sent = before - output.count
        entries[slot].sent &+= UInt32(truncatingIfNeeded: sent)
        totals.sent &+= UInt64(sent)
        if outcome == .emptied { recycle(output) } else { entries[slot].output = consume output }
        switch outcome {
        case .emptied:
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

    /// Ends the outgoing direction if requested.
    func outputEmptied(_ slot: Int) {
        guard entries[slot].descriptor >= 0 else { return }
        let state = entries[slot].state
        guard state.contains(.endAfterOutput), !state.contains(.outputEnded) else { return }
        entries[slot].state.insert(.outputEnded)
        SystemCalls.shutDownOutput(entries[slot].descriptor)
        if state.contains(.inputEnded) { fail(slot, nil) }
    }

    func recycle(_ output: consuming OutputQueue) {
        guard spareQueues.count < SocketLimits.spareOutputQueues else { return }
        if output.count > 0 { output.reset() }
        spareQueues.append(output)
    }

    /// Takes the slot's queue out, since a copy would retain it. ``appended(_:_:)`` puts it back.
    private func takeOutput(of slot: Int) -> OutputQueue? {
        guard !entries[slot].state.contains(.endAfterOutput) else { return nil }
        var output: OutputQueue?
        swap(&output, &entries[slot].output)
        return output ?? spareQueues.popLast() ?? OutputQueue(of: account)
    }

    private func appended(_ slot: Int, _ output: consuming OutputQueue) {
        let count = output.count
        entries[slot].output = consume output
        if count > limits.highWaterBytes {
            let id = id(at: slot)
            // Output is sent before its size is checked. Otherwise a burst of output would make a fast reader look
            // slow.
            if entries[slot].state.isDisjoint(with: [.blocked, .connecting]) { sendOutput(slot) }
            if (entries[slot].output?.count ?? 0) > limits.writeBufferBytes { sendOutput(slot, share: .max) }
            guard isCurrent(slot, id.generation), let left = entries[slot].output?.count else { return }
            if left > limits.writeBufferBytes {
                fail(slot, SocketError(.write, .tooMuchOutput(limitBytes: limits.writeBufferBytes)))
                return
            }
            if left > limits.highWaterBytes, !entries[slot].state.contains(.owesWritable) {
                entries[slot].state.insert(.owesWritable)
                tellLater(.congested(id))
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

    /// Closes one connection after another until the total is within its limit: the one whose unsent output takes the
    /// most memory first.
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
