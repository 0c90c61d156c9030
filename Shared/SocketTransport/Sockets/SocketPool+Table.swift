extension SocketPool {
    func find(_ id: SocketID) -> Int? {
        let slot = Int(id.slot)
        return slot < entries.count && isCurrent(slot, id.generation) ? slot : nil
    }

    func isCurrent(_ slot: Int, _ generation: UInt32) -> Bool {
        entries[slot].generation == generation && entries[slot].descriptor >= 0
    }

    func id(at slot: Int) -> SocketID {
        SocketID(slot: UInt32(slot), generation: entries[slot].generation)
    }

    /// Assigns a slot to a descriptor and registers it with the kernel. On failure, closes the descriptor.
    func adopt(
        _ descriptor: Int32, state: SocketEntry.State, attempt: SocketError.Attempt
    ) throws(SocketError) -> Int {
        guard openSockets < limits.sockets else {
            SystemCalls.closeDescriptor(descriptor)
            throw SocketError(attempt, .tooManySockets(limit: limits.sockets))
        }
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = Int(free)
        } else {
            slot = entries.count
            entries.append(SocketEntry())
        }
        SystemCalls.setNoDelay(descriptor)
        SystemCalls.limitUnsent(descriptor, bytes: SocketLimits.kernelBytes)
        entries[slot].descriptor = descriptor
        entries[slot].state = state
        let interest = entries[slot].wanted
        do {
            let token = Token(slot: UInt32(slot), generation: entries[slot].generation)
            try readiness.set(descriptor, token, from: nil, to: interest)
        } catch {
            entries[slot].descriptor = -1
            freeSlots.append(UInt32(slot))
            SystemCalls.closeDescriptor(descriptor)
            throw SocketError(attempt, errno: error.code)
        }
        entries[slot].interest = interest
        openSockets += 1
        return slot
    }

    func updateInterest(_ slot: Int) {
        let wanted = entries[slot].wanted
        let isUnregistered = entries[slot].state.contains(.unregistered)
        guard wanted != entries[slot].interest || isUnregistered else { return }
        if isUnregistered, wanted.isEmpty { return }
        let token = Token(slot: UInt32(slot), generation: entries[slot].generation)
        let previous = isUnregistered ? nil : entries[slot].interest
        do {
            try readiness.set(entries[slot].descriptor, token, from: previous, to: wanted)
            entries[slot].interest = wanted
            entries[slot].state.remove(.unregistered)
        } catch {
            fail(slot, SocketError(.prepare, errno: error.code))
        }
    }

    func fail(_ slot: Int, _ error: SocketError?) {
        let id = id(at: slot)
        SystemCalls.closeDescriptor(entries[slot].descriptor)
        vacate(slot)
        tellLater(.closed(id, error))
    }

    /// Clears the slot, which is reusable once it is in `freeSlots`.
    func vacate(_ slot: Int) {
        if let output = entries[slot].output { recycle(output) }
        if !dialled.isEmpty { dialled[slot] = nil }
        let next = entries[slot].generation &+ 1
        entries[slot] = SocketEntry()
        entries[slot].generation = next
        openSockets -= 1
    }
}

// MARK: - Closing

extension SocketPool {
    /// Ends the outgoing direction after pending output. The peer can continue to send.
    package func shutdownWrites(_ id: SocketID) {
        guard let slot = find(id) else { return }
        entries[slot].state.insert(.endAfterOutput)
        if entries[slot].output == nil, !entries[slot].state.contains(.connecting) { outputEmptied(slot) }
    }

    /// Closes the socket after queued output, which is dropped if `afterFlush` is false. Discards input until the
    /// peer's end of stream, because an earlier close could reset the connection. `.closed` follows.
    package func close(_ id: SocketID, afterFlush: Bool) {
        guard let slot = find(id), !entries[slot].state.contains(.closing) else { return }
        if entries[slot].state.contains(.connecting) {
            fail(slot, nil)
            return
        }
        entries[slot].state.insert([.closing, .endAfterOutput])
        entries[slot].state.remove([.readingPaused, .owesWritable])
        if !afterFlush, let output = entries[slot].output {
            recycle(output)
            entries[slot].output = nil
            entries[slot].state.remove(.blocked)
        }
        if entries[slot].output == nil { outputEmptied(slot) }
        if isCurrent(slot, id.generation) { updateInterest(slot) }
    }

    /// Closes at once and drops pending output. No event follows. `reset` sends a TCP reset (RST).
    package func abort(_ id: SocketID, reset: Bool = false) {
        guard let slot = find(id) else { return }
        if reset {
            SystemCalls.closeWithReset(entries[slot].descriptor)
        } else {
            SystemCalls.closeDescriptor(entries[slot].descriptor)
        }
        vacate(slot)
        freeSlots.append(id.slot)
    }
}
