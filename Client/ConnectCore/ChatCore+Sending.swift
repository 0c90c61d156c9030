import Clocks
import Texts

extension ChatCore {
    // MARK: - Messages

    mutating func send(_ contentType: String, _ text: String, _ call: Call, at now: Instant) {
        // While the chat connects, messages are queued.
        if phase != .connecting, let obstacle { return finish([call], .failure(obstacle)) }
        guard !text.isEmpty else {
            return finish([call], .failure(.invalidArgument("A message needs a text.")))
        }
        let id = makeID()
        transcript.addOwn(ownRow(id, contentType, text, at: now))
        outbox.add(
            Outbox.Text(
                persistentID: id, contentType: contentType, text: text, clientToken: makeID(), call: call))
        sendNext(at: now)
    }

    private func ownRow(_ id: String, _ contentType: String, _ text: String, at now: Instant) -> TranscriptRow
    {
        var row = TranscriptRow(
            kind: .message, id: id, persistentId: id, timeStamp: WireTime.text(now), contentType: contentType)
        (row.participant, row.participantId, row.displayName) = ("CUSTOMER", transcript.ownID, ownName)
        (row.text, row.direction, row.status) = (text, .Outgoing, .Sending)
        return row
    }

    mutating func sendNext(at now: Instant) {
        guard outbox.current == nil, obstacle == nil, let text = outbox.next() else { return }
        outbox.current = text
        request(
            .sendMessage(contentType: text.contentType, text: text.text, clientToken: text.clientToken),
            .message(text.persistentID), at: now)
    }

    private mutating func messageAnswered(_ id: String, _ reply: Reply, at now: Instant) {
        guard let text = outbox.current, text.persistentID == id else { return }
        outbox.current = nil
        let calls = [text.call].compactMap { $0 }
        switch reply {
        case .accepted(let serverID, let time):
            transcript.accepted(id, id: serverID, time: time.isEmpty ? WireTime.text(now) : time)
            typingUntil = nil
            log(.debug, "A message was sent.")
            finish(calls, .success)
        default:
            let error = reply.error ?? .unexpectedAnswer("The service's answer is another one.")
            let isUncertain = text.isUncertain || reply.isUncertain
            if transcript.failed(id, isUncertain: isUncertain, time: WireTime.text(now), at: now) {
                outbox.keep([text])
                log(.error, "A message was not sent: \(error.text)")
                finish(calls, .failure(error))
            } else {
                finish(calls, .success)
            }
        }
        sendNext(at: now)
    }

    mutating func resend(_ id: String, _ call: Call, at now: Instant) {
        if let obstacle { return finish([call], .failure(obstacle)) }
        guard let row = transcript.byPersistentID(id) else {
            return finish([call], .failure(.messageNotFound(id: id)))
        }
        guard row.status == .Failed else { return finish([call], .failure(.messageNotFailed(id: id))) }
        let persistentID = row.persistentId
        if var text = outbox.failed.removeValue(forKey: persistentID) {
            text.call = call
            transcript.resend(persistentID, time: WireTime.text(now))
            outbox.add(text)
            return sendNext(at: now)
        }
        guard var upload = outbox.uploads[persistentID] else {
            return finish([call], .failure(.messageNotFound(id: id)))
        }
        (upload.call, upload.clientToken) = (call, makeID())
        transcript.resend(persistentID, time: WireTime.text(now))
        startUpload(persistentID, upload, at: now)
    }

    // MARK: - Files

    mutating func attach(_ file: File, _ call: Call, at now: Instant) {
        if let obstacle {
            outputs.append(.dropFile(file.copy))
            return finish([call], .failure(obstacle))
        }
        let id = makeID()
        var row = ownRow(id, file.contentType, file.name, at: now)
        row.attachmentId = id
        transcript.addOwn(row)
        startUpload(id, Outbox.Upload(file: file, clientToken: makeID(), call: call), at: now)
    }

    private mutating func startUpload(_ id: String, _ upload: Outbox.Upload, at now: Instant) {
        outbox.uploads[id] = upload
        log(.info, "An upload of \(upload.file.byteCount) bytes begins.")
        request(
            .startUpload(
                contentType: upload.file.contentType, name: upload.file.name,
                byteCount: upload.file.byteCount, clientToken: upload.clientToken), .startUpload(id), at: now)
    }

    private mutating func uploadStarted(_ id: String, _ reply: Reply, at now: Instant) {
        guard case .upload(let attachmentID, let url, let headers) = reply else {
            return uploadFailed(id, reply, at: now)
        }
        guard let upload = outbox.uploads[id] else { return }
        outbox.uploads[id]?.attachmentID = attachmentID
        transcript.setAttachment(id, id: attachmentID)
        let number = nextNumber()
        pending[number] = Pending(purpose: .upload(id), operation: nil)
        outputs.append(.upload(number, copy: upload.file.copy, url: url, headers: headers))
    }

    private mutating func uploaded(_ id: String, _ reply: Reply, at now: Instant) {
        guard reply.error == nil, let upload = outbox.uploads[id] else {
            return uploadFailed(id, reply, at: now)
        }
        request(
            .completeUpload(attachmentID: upload.attachmentID, clientToken: upload.clientToken),
            .completeUpload(id), at: now)
    }

    private mutating func uploadCompleted(_ id: String, _ reply: Reply, at now: Instant) {
        guard reply.error == nil, let upload = outbox.uploads.removeValue(forKey: id) else {
            return uploadFailed(id, reply, isUncertain: reply.isUncertain, at: now)
        }
        outputs.append(.dropFile(upload.file.copy))
        log(.info, "An upload is complete.")
        transcript.receipt(id, .Sent, isOwn: false)
        finish([upload.call].compactMap { $0 }, .success)
    }

    /// Cancels an upload, unless the service has the whole file.
    mutating func cancelUpload(_ id: String, at now: Instant) {
        guard outbox.uploads[id] != nil else { return }
        if let (number, request) = pending.first(where: {
            $0.value.purpose == .startUpload(id) || $0.value.purpose == .upload(id)
        }) {
            pending[number] = nil
            if request.purpose == .upload(id) { outputs.append(.cutUpload(number)) }
        } else if let place = refused.firstIndex(where: { $0.purpose == .startUpload(id) }) {
            // The request got status 403 and waits for a new connection token.
            refused.remove(at: place)
        } else {
            return
        }
        uploadFailed(id, .failed(.network("The upload was cancelled.")), isCancelled: true, at: now)
    }

    mutating func uploading(_ number: Int, _ percent: Int) {
        guard case .upload(let id)? = pending[number]?.purpose else { return }
        notify(.uploadProgress(messageId: id, percent: percent))
        if let call = outbox.uploads[id]?.call { outputs.append(.progress(call, percent)) }
    }

    private mutating func uploadFailed(
        _ id: String, _ reply: Reply, isUncertain: Bool = false, isCancelled: Bool = false, at now: Instant
    ) {
        guard let upload = outbox.uploads[id] else { return }
        outbox.uploads[id]?.call = nil
        let error = reply.error ?? .unexpectedAnswer("The service's answer is another one.")
        guard
            transcript.failed(
                id, isUncertain: isUncertain, isCancelled: isCancelled, time: WireTime.text(now), at: now)
        else {
            // The file's transcript item has arrived, so the upload succeeded despite the error.
            outputs.append(.dropFile(upload.file.copy))
            outbox.uploads[id] = nil
            return finish([upload.call].compactMap { $0 }, .success)
        }
        log(.error, "An upload failed: \(error.text)")
        if case .fileUnreadable = error {
            outputs.append(.dropFile(upload.file.copy))
            outbox.uploads[id] = nil
        }
        finish([upload.call].compactMap { $0 }, .failure(error))
    }

    // MARK: - Typing and other events

    mutating func sendEvent(_ contentType: String, _ content: String, _ call: Call, at now: Instant) {
        if let obstacle { return finish([call], .failure(obstacle)) }
        let isTyping = contentType == ContentType.typing.rawValue
        if isTyping {
            if let until = typingUntil, now < until { return finish([call], .success) }
            typingUntil = now + ConnectLimits.typingWindow
        }
        request(
            .sendEvent(contentType: contentType, content: content, clientToken: makeID()),
            .event(call, isTyping: isTyping), at: now)
    }

    // MARK: - Receipts

    mutating func addReceipt(_ kind: MessageReceiptType, _ id: String, _ call: Call?, at now: Instant) {
        let calls = [call].compactMap { $0 }
        guard settings.sendsReceipts else { return finish(calls, .success) }
        if let obstacle { return finish(calls, .failure(obstacle)) }
        let row = transcript.byPersistentID(id)
        if let row, row.direction == .Outgoing || row.kind == .event || row.text.isEmpty {
            return finish(calls, .success)
        }
        guard receipts.add(kind, row?.id ?? id, calls: calls, window: settings.receiptWindow, at: now) else {
            return finish(calls, .success)
        }
        sendReceipts(at: now)
    }

    mutating func sendReceipts(at now: Instant) {
        for due in receipts.advance(to: now, window: settings.receiptWindow) {
            let content = JSONWriter.line([("messageId", .string(due.messageID))])
            request(
                .sendEvent(contentType: due.kind.rawValue, content: content, clientToken: makeID()),
                .receipt(due), at: now)
        }
    }

    // MARK: - Answers

    mutating func answered(_ number: Int, _ reply: Reply, at now: Instant) {
        guard var ended = pending.removeValue(forKey: number) else { return }
        if reply.error?.status == 403, isRenewable(ended), !ended.isRepeated {
            (ended.isRepeated, ended.deadline) = (true, nil)
            if case .message = ended.purpose, reply.isUncertain { outbox.current?.isUncertain = true }
            refused.append(ended)
            if !pending.values.contains(where: { $0.purpose == .credentials }) { requestCredentials(at: now) }
            return
        }
        let answer: (Answer) -> Answer = { reply.error.map(Answer.failure) ?? $0 }
        switch ended.purpose {
        case .attempt: attemptAnswered(number, reply, at: now)
        case .credentials: credentialsAnswered(reply, at: now)
        case .message(let id): messageAnswered(id, reply, at: now)
        case .event(let call, let isTyping):
            if isTyping, reply.error != nil { typingUntil = nil }
            finish([call], answer(.success))
        case .receipt(let due): receiptAnswered(due, reply)
        case .page(let page, let call):
            if case .page(let answer) = reply { return pageAnswered(answer, page, call, at: now) }
            finish([call].compactMap { $0 }, answer(.success))
        case .firstPage(let page): firstPageAnswered(page, reply, at: now)
        case .catchUp(let page): catchUpAnswered(page, reply, at: now)
        case .disconnect: disconnectAnswered(reply, at: now)
        case .startUpload(let id): uploadStarted(id, reply, at: now)
        case .upload(let id): uploaded(id, reply, at: now)
        case .completeUpload(let id): uploadCompleted(id, reply, at: now)
        case .address(let call):
            if case .address(let url) = reply { return finish([call], .address(url)) }
            finish([call], answer(.success))
        case .view(let call):
            if case .view(let view) = reply { return finish([call], .view(view)) }
            finish([call], answer(.success))
        }
    }

    private func isRenewable(_ request: Pending) -> Bool {
        switch request.purpose {
        case .attempt, .credentials, .receipt, .disconnect, .upload: false
        default: phase == .active
        }
    }

    private mutating func receiptAnswered(_ due: ReceiptsCore.Due, _ reply: Reply) {
        guard let error = reply.error else { return finish(due.calls, .success) }
        receipts.failed(due.kind, due.messageID)
        if case .service(let answer) = error, answer.type == "ConflictException", !hasReportedConflict {
            hasReportedConflict = true
            log(.info, "The service takes no receipts while more than two participants are in the chat.")
        }
        finish(due.calls, .failure(error))
    }

    mutating func requestCredentials(at now: Instant) {
        guard let details else { return }
        request(.createConnection(participantToken: details.participantToken), .credentials, at: now)
    }

    private mutating func credentialsAnswered(_ reply: Reply, at now: Instant) {
        let waiting = refused
        refused = []
        if case .connection(let new) = reply {
            adopt(new, at: now)
            for old in waiting {
                guard let operation = old.operation else { continue }
                request(operation, old.purpose, isRepeated: true, at: now)
            }
            return
        }
        let error = reply.error ?? .unexpectedAnswer("The service's answer is another one.")
        if error.isAccessDenied, !waiting.isEmpty || phase == .active { accessDenied(at: now) }
        for old in waiting {
            let number = nextNumber()
            pending[number] = old
            answered(number, .failed(phase == .ended ? .chatEnded : error), at: now)
        }
    }
}
