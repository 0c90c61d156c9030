import Clocks

/// Message changes, receipts and uploaded files of sessions with extensions (extensions.md).
extension Conversation {
    /// Applies or refuses a client's change.
    mutating func receive(
        _ change: MessageChange, from connection: ConnectionID, metadata: String?, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        var isOfClient = extensions.contains(.changes)
        if case .file(_, let state, _) = change.kind {
            isOfClient = extensions.contains(.files) && state != .ready
        }
        guard isOfClient else {
            return refuse("clients do not send this change", to: connection, metadata, at: now, &outbox)
        }
        do throws(MessageLedger.Refusal) {
            try make(change, metadata: metadata, at: now, &outbox)
        } catch {
            refuse(error.words, to: connection, metadata, at: now, &outbox)
        }
    }

    /// Records a change, and answers a reaction of the user.
    private mutating func make(
        _ change: MessageChange, metadata: String? = nil, at now: Instant, _ outbox: inout [Effect]
    ) throws(MessageLedger.Refusal) {
        guard try ledger.apply(change) else {
            return outbox.append(.note(handle, .ignored(reason: "the change changes nothing")))
        }
        record(.messageChanged(change), metadata: metadata, at: now, &outbox)
        guard change.by == .user, case .reaction(let text, isOn: true) = change.kind else { return }
        // The author of the reply is the script, even if an operator pushed the reaction.
        pusher = nil
        answer(text, as: text, metadata: metadata, at: now, &outbox) { kind in
            if case .reaction(let wanted)? = kind { wanted == "*" || wanted == text } else { false }
        }
    }

    /// Makes an operator's change, as the user or as the current speaker.
    mutating func change(
        _ kind: MessageChange.Kind, of id: String?, asUser: Bool, at now: Instant, _ outbox: inout [Effect]
    ) -> OperatorRefusal? {
        guard extensions.contains(.changes) else { return .change("the client did not ask for changes") }
        let speaker = asUser ? .user : replySpeaker
        do throws(MessageLedger.Refusal) {
            let id = id ?? ledger.lastMessage(for: kind, by: speaker) ?? ""
            try make(MessageChange(id, kind, by: speaker), at: now, &outbox)
        } catch {
            return .change(error.words)
        }
        return nil
    }

    private var replySpeaker: EventSummary.Speaker {
        switch responder {
        case .liveAgent, .guest: .liveAgent
        default: .agent
        }
    }

    /// Applies a client's receipt.
    mutating func receive(
        _ receipt: Receipt, of message: String, from connection: ConnectionID, metadata: String?,
        at now: Instant, _ outbox: inout [Effect]
    ) {
        if extensions.contains(.receipts) {
            do throws(MessageLedger.Refusal) {
                guard try ledger.receive(receipt, of: message) else { return }
            } catch {
                return refuse("receipt: " + error.words, to: connection, metadata, at: now, &outbox)
            }
        }
        record(.receipt(receipt, messageID: message), metadata: metadata, at: now, &outbox)
    }

    private mutating func refuse(
        _ reason: String, to connection: ConnectionID, _ metadata: String?, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        outbox.append(.note(handle, .ignored(reason: "change refused: " + reason)))
        complain(.unknownEvent, to: connection, metadata: metadata, at: now, &outbox)
    }

    /// Makes the change of a step.
    mutating func change(_ step: ChangeStep, of turn: Turn, at now: Instant, _ outbox: inout [Effect]) {
        guard extensions.contains(.changes) else {
            return outbox.append(.note(handle, .ignored(reason: "the client did not ask for changes")))
        }
        let kind: MessageChange.Kind =
            switch step {
            case .edit(let text):
                .text(fill(text, message: turn.message, at: now, limit: EngineLimits.rememberedBytes))
            case .unsend: .deleted
            case .react(let text, let isOn): .reaction(text, isOn: isOn)
            }
        let id = ledger.lastMessage(for: kind, by: replySpeaker) ?? ""
        do throws(MessageLedger.Refusal) {
            try make(MessageChange(id, kind, by: replySpeaker), at: now, &outbox)
        } catch {
            outbox.append(.note(handle, .ignored(reason: "no change: " + error.words)))
        }
    }

    // MARK: - Files

    /// Connects files with the message that names them, and reports those that are ready.
    mutating func connect(
        _ ids: [String], with message: String, metadata: String?, at now: Instant, _ outbox: inout [Effect]
    ) {
        do throws(MessageLedger.Refusal) {
            let (arrived, isForeign) = try ledger.connect(ids, with: message)
            for id in arrived { conclude(id, of: message, metadata: metadata, at: now, &outbox) }
            guard isForeign else { return }
            outbox.append(.note(handle, .ignored(reason: "files: another message has the file")))
        } catch {
            outbox.append(.note(handle, .ignored(reason: "files: " + error.words)))
        }
    }

    /// Records that a file was uploaded. If a message names the file, reports the file as ready.
    mutating func arrive(
        _ file: UserFile, metadata: String?, at now: Instant, _ outbox: inout [Effect]
    ) {
        guard let message = ledger.arrive(file) else { return }
        conclude(file.id, of: message, metadata: metadata, at: now, &outbox)
    }

    private mutating func conclude(
        _ id: String, of message: String, metadata: String?, at now: Instant, _ outbox: inout [Effect]
    ) {
        guard let file = ledger.file(id) else { return }
        let change = MessageChange(message, .file(id, .ready, details: file), by: .system)
        do throws(MessageLedger.Refusal) {
            guard try ledger.apply(change) else { return }
        } catch {
            return outbox.append(.note(handle, .ignored(reason: "file: " + error.words)))
        }
        record(.messageChanged(change), metadata: metadata, at: now, &outbox)
        answer(file, metadata: metadata, at: now, &outbox)
    }
}
