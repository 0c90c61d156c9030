import Clocks
import Texts

extension ChatCore {
    mutating func disconnect(_ call: Call, at now: Instant) {
        switch phase {
        case .idle, .ended: finish([call], .success)
        case .connecting:
            reset(.reset, at: now)
            finish([call], .success)
        case .active:
            disconnectCalls.append(call)
            guard disconnectCalls.count == 1, farewell == nil else { return }
            request(.disconnect, .disconnect, at: now)
        }
    }

    mutating func disconnectAnswered(_ reply: Reply, at now: Instant) {
        guard phase == .active else { return }
        if let error = reply.error {
            if error.status == 403 { return endChat(at: now) }
            let calls = disconnectCalls
            disconnectCalls = []
            return finish(calls, .failure(error))
        }
        // The last items may still arrive.
        farewell = now + ConnectLimits.farewell
    }

    /// Ends the chat, because the service denies access. Adds the missed `chat.ended` event.
    mutating func accessDenied(at now: Instant) {
        guard phase == .active else { return }
        // At least 1 ms after the newest item, because the event must sort last and the service's clock may be ahead.
        let newest = transcript.newest.map { Instant(nanosecondsSince1970: $0.place) + .milliseconds(1) }
        let item = WireItem(
            .object([
                "AbsoluteTime": .string(WireTime.text(max(now, newest ?? now))),
                "Id": .string("chat-ended-event"),
                "Type": .string("EVENT"),
                "ContentType": .string(ContentType.ended.rawValue),
            ]))
        if let item { _ = transcript.merge(item, from: .live, at: now) { "chat-ended-event" } }
        endChat(at: now)
    }

    mutating func endChat(at now: Instant) {
        guard phase == .active else { return }
        phase = .ended
        farewell = nil
        transcript.end(time: WireTime.text(now), at: now)
        hangUp(code: 1_000)
        releaseHeld(at: now)
        dropFiles()
        reportState()
        notify(.chatEnded)
        let leaving = disconnectCalls
        disconnectCalls = []
        failEverything(.chatEnded)
        finish(leaving, .success)
    }

    mutating func reset(_ reason: ConnectChatError, at now: Instant) {
        guard phase != .idle || !transcript.list.isEmpty else { return }
        phase = .idle
        hangUp(code: 1_000)
        dropFiles()
        transcript.clear()
        link.lastError = nil
        let leaving = disconnectCalls
        let connecting = connectCalls
        (disconnectCalls, connectCalls) = ([], [])
        (connectDeadline, farewell, typingUntil) = (nil, nil, nil)
        (details, rowsToken, credentials, previousToken, ownName) = (nil, nil, nil, nil, "")
        receipts = dropReceipts()
        (link.isSuspended, link.isHalted, link.failures) = (false, false, 0)
        hasReportedConflict = false
        reportState()
        finish(connecting + leaving, .failure(reason))
        failEverything(reason)
        outbox = Outbox()
        catchUp = CatchUp()
    }

    private mutating func dropReceipts() -> ReceiptsCore {
        finish(receipts.drop(), .failure(.reset))
        return ReceiptsCore()
    }

    mutating func dropFiles() {
        for upload in outbox.uploads.values.sorted(by: { $0.file.copy < $1.file.copy }) {
            outputs.append(.dropFile(upload.file.copy))
        }
    }

    mutating func failEverything(_ error: ConnectChatError) {
        finish(outbox.calls, .failure(error))
        outbox.dropAll()
        finish(receipts.drop(), .failure(error))
        let all = pending.sorted { $0.key < $1.key }.map(\.value) + refused
        dropRequests()
        for request in all {
            switch request.purpose {
            case .event(let call, _), .address(let call), .view(let call), .page(_, let call?):
                finish([call], .failure(error))
            case .receipt(let due): finish(due.calls, .failure(error))
            default: break
            }
        }
        catchUp = CatchUp()
    }

    mutating func dropRequests() {
        for (number, request) in pending.sorted(by: { $0.key < $1.key }) {
            if case .upload = request.purpose { outputs.append(.cutUpload(number)) }
        }
        pending = [:]
        refused = []
    }
}
