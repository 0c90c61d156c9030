extension SocketPool {
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
}
