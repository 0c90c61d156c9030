extension SocketPool {
    /// Listens on a numeric address. "::" means IPv4 and IPv6; "localhost" means 127.0.0.1 and ::1 on one port. Port 0
    /// means any free port. Returns the bound address, for "localhost" the IPv4 address.
    package func listen(
        host: String, port: UInt16, backlog: Int? = nil
    ) throws(SocketError) -> (id: ListenerID, address: SocketAddress) {
        guard !isShutDown else { throw SocketError(.listen(host: host, port: port), .shutDown) }
        let backlog = backlog ?? limits.backlog
        let bound: [(descriptor: Int32, address: SocketAddress)]
        if host.lowercased() == "localhost" {
            bound = try bindBoth(port: port, backlog: backlog)
        } else if let address = SocketAddress(host: host, port: port) {
            bound = [try bindOne(address, backlog: backlog)]
        } else {
            throw SocketError(.listen(host: host, port: port), .notAnAddress)
        }
        let id = ListenerID(index: UInt32(listeners.count))
        listeners.append(ListenerEntry(descriptors: bound.map(\.descriptor)))
        for (index, descriptor) in listeners[Int(id.index)].descriptors.enumerated() {
            let token = Token(listener: id.index, descriptorIndex: index)
            do {
                try readiness.set(descriptor, token, from: nil, to: .input)
            } catch {
                stopListening(id)
                throw SocketError(.listen(host: host, port: port), errno: error.code)
            }
        }
        return (id, bound[0].address)
    }

    package func stopListening(_ id: ListenerID) {
        let index = Int(id.index)
        guard listeners.indices.contains(index) else { return }
        for descriptor in listeners[index].descriptors { SystemCalls.closeDescriptor(descriptor) }
        listeners[index] = ListenerEntry(descriptors: [])
    }

    /// Starts to connect. `.connected` or `.closed` follows. Output written before that waits for the connection.
    package func connect(to address: SocketAddress) throws(SocketError) -> SocketID {
        let attempt = SocketError.Attempt.connect(address)
        guard !isShutDown else { throw SocketError(attempt, .shutDown) }
        let descriptor: Int32
        let isOpen: Bool
        do {
            descriptor = try SystemCalls.makeSocket(family: address.family)
        } catch {
            throw SocketError(attempt, errno: error.code)
        }
        do {
            isOpen = try SystemCalls.startConnecting(descriptor, to: address)
        } catch {
            SystemCalls.closeDescriptor(descriptor)
            throw SocketError(attempt, errno: error.code)
        }
        let slot = try adopt(descriptor, state: isOpen ? [] : .connecting, attempt: attempt)
        let id = id(at: slot)
        if isOpen { tellLater(.connected(id)) } else { dialled[slot] = address }
        return id
    }

    package func localAddress(_ id: SocketID) -> SocketAddress? {
        find(id).flatMap { SystemCalls.localAddress(entries[$0].descriptor) }
    }

    package func peerAddress(_ id: SocketID) -> SocketAddress? {
        find(id).flatMap { SystemCalls.peerAddress(entries[$0].descriptor) }
    }

    package func resumeAccepting() {
        for index in listeners.indices where listeners[index].isPaused {
            setAccepting(index, true)
        }
    }

    func finishConnecting(_ slot: Int, _ handle: (SocketEvent) -> Void) {
        let descriptor = entries[slot].descriptor
        let code = SystemCalls.pendingError(descriptor)
        guard code == 0 else {
            let address = dialled[slot] ?? .loopbackIPv4(port: 0)
            fail(slot, SocketError(.connect(address), errno: code))
            return
        }
        let id = id(at: slot)
        dialled[slot] = nil
        entries[slot].state.remove(.connecting)
        updateInterest(slot)
        guard isCurrent(slot, id.generation) else { return }
        sendOutput(slot)
        guard isCurrent(slot, id.generation) else { return }
        if entries[slot].output == nil { outputEmptied(slot) }
        handle(.connected(id))
    }
}

// MARK: - Accepting

extension SocketPool {
    func acceptBatch(_ token: Token, _ handle: (SocketEvent) -> Void) {
        let index = token.listener
        for _ in 0..<limits.acceptsPerTurn {
            // Checked for each connection, because the handler of the previous one may have stopped the listener.
            guard token.descriptorIndex < listeners[index].descriptors.count else { return }
            guard !listeners[index].isPaused else { return }
            switch acceptCall(listeners[index].descriptors[token.descriptorIndex]) {
            case .accepted(let descriptor, let peer):
                do {
                    let slot = try adopt(descriptor, state: [], attempt: .accept)
                    let listener = ListenerID(index: UInt32(index))
                    handle(.accepted(id(at: slot), peer: peer, listener: listener))
                } catch {
                    pauseAccepting(index, error, handle)
                    return
                }
            case .failed(let code):
                switch SystemCalls.acceptVerdict(code) {
                case .noneWaiting: return
                case .tryNext: continue
                case .noResources:
                    pauseAccepting(index, SocketError(.accept, errno: code), handle)
                    return
                }
            }
        }
    }

    private func pauseAccepting(_ index: Int, _ error: SocketError, _ handle: (SocketEvent) -> Void) {
        setAccepting(index, false)
        handle(.acceptPaused(error))
    }

    private func setAccepting(_ index: Int, _ isOn: Bool) {
        listeners[index].isPaused = !isOn
        for (position, descriptor) in listeners[index].descriptors.enumerated() {
            let token = Token(listener: UInt32(index), descriptorIndex: position)
            let off: Interest = []
            try? readiness.set(descriptor, token, from: isOn ? off : .input, to: isOn ? .input : off)
        }
    }
}

// MARK: - Binding

extension SocketPool {
    private func bindOne(
        _ address: SocketAddress, backlog: Int
    ) throws(SocketError) -> (descriptor: Int32, address: SocketAddress) {
        let attempt = SocketError.Attempt.listen(host: address.host, port: address.port)
        do throws(SystemFailure) {
            let descriptor = try SystemCalls.makeSocket(family: address.family)
            do throws(SystemFailure) {
                try SystemCalls.bindAndListen(descriptor, address, backlog: backlog)
            } catch {
                SystemCalls.closeDescriptor(descriptor)
                throw error
            }
            return (descriptor, SystemCalls.localAddress(descriptor) ?? address)
        } catch {
            throw SocketError(attempt, errno: error.code)
        }
    }

    /// Binds both loopback addresses to one port, or only the IPv4 address on a machine without IPv6.
    private func bindBoth(
        port: UInt16, backlog: Int
    ) throws(SocketError) -> [(descriptor: Int32, address: SocketAddress)] {
        var attemptsLeft = port == 0 ? SocketLimits.portAttempts : 1
        while true {
            attemptsLeft -= 1
            let small = try bindOne(.loopbackIPv4(port: port), backlog: backlog)
            do {
                let large = try bindOne(.loopbackIPv6(port: small.address.port), backlog: backlog)
                return [small, large]
            } catch {
                if error.isFamilyMissing { return [small] }
                SystemCalls.closeDescriptor(small.descriptor)
                // Port 0: another port is tried if this one is in use on IPv6.
                guard error.isPortTaken, attemptsLeft > 0 else { throw error }
            }
        }
    }
}
