import ConnectCore
import Foundation
import HTTPCore
import Texts

extension AWSClient {
    /// Calls the client's method for `operation`, which a subclass may override. Nonisolated, because the completion
    /// closures would otherwise be isolated to the main actor, and crash when called on another thread.
    package func execute(
        _ operation: ServiceOperation, token: String, completion: @escaping @Sendable (Reply) -> Void
    ) {
        switch operation {
        case .createConnection(let participantToken):
            createParticipantConnection(participantToken: participantToken) {
                completion(Reply($0) { $0.credentials.map(Reply.connection) })
            }
        case .disconnect:
            disconnectParticipantConnection(connectionToken: token) { completion(Reply($0) { _ in .done }) }
        case .sendMessage(let contentType, let text, let clientToken):
            withClientToken(clientToken) {
                sendMessage(
                    connectionToken: token, contentType: ContentType(rawValue: contentType) ?? .plainText,
                    message: text
                ) {
                    completion(
                        Reply($0) { answer in
                            answer.identifier.map { .accepted(id: $0, time: answer.absoluteTime ?? "") }
                        })
                }
            }
        case .sendEvent(let contentType, let content, let clientToken):
            withClientToken(clientToken) {
                sendEvent(
                    connectionToken: token, contentType: ContentType(rawValue: contentType) ?? .typing,
                    content: content
                ) { completion(Reply($0) { _ in .done }) }
            }
        case .startUpload(let contentType, let name, let byteCount, let clientToken):
            withClientToken(clientToken) {
                startAttachmentUpload(
                    connectionToken: token, contentType: contentType, attachmentName: name,
                    attachmentSizeInBytes: byteCount
                ) { completion(Reply($0) { $0.reply }) }
            }
        case .completeUpload(let id, let clientToken):
            withClientToken(clientToken) {
                completeAttachmentUpload(connectionToken: token, attachmentIds: [id]) {
                    completion(Reply($0) { _ in .done })
                }
            }
        case .getAttachment(let id):
            getAttachment(connectionToken: token, attachmentId: id) {
                completion(Reply($0) { $0.url.map(Reply.address) })
            }
        case .getTranscript(let page):
            getTranscript(getTranscriptArgs: AWSConnectParticipantGetTranscriptRequest(page, token: token)) {
                completion(Reply($0) { $0.reply })
            }
        case .describeView(let viewToken):
            describeView(connectionToken: token, viewToken: viewToken) {
                completion(Reply($0) { $0.reply })
            }
        }
    }
}

extension Reply {
    fileprivate init<Answer>(_ result: Result<Answer, any Error>, _ read: (Answer) -> Reply?) {
        switch result {
        case .success(let answer):
            self = read(answer) ?? .failed(.unexpectedAnswer("The custom client's answer lacks a member."))
        case .failure(let error as ConnectChatError): self = .failed(error)
        case .failure(let error): self = .failed(.network("The custom client failed: \(type(of: error))."))
        }
    }
}

extension AWSConnectParticipantSendMessageResponse {
    convenience init?(_ reply: Reply) {
        guard case .accepted(let id, let time) = reply else { return nil }
        self.init()
        (identifier, absoluteTime) = (id, time)
    }
}

extension AWSConnectParticipantSendEventResponse {
    convenience init?(_ reply: Reply) {
        self.init()
        if case .accepted(let id, let time) = reply { (identifier, absoluteTime) = (id, time) }
    }
}

extension AWSConnectParticipantStartAttachmentUploadResponse {
    convenience init?(_ reply: Reply) {
        guard case .upload(let id, let address, let headers) = reply else { return nil }
        self.init()
        attachmentId = id
        let metadata = AWSConnectParticipantUploadMetadata()
        metadata?.url = address
        metadata?.headersToInclude = Dictionary(
            headers.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        uploadMetadata = metadata
    }

    fileprivate var reply: Reply? {
        guard let attachmentId, let url = uploadMetadata?.url else { return nil }
        var headers = HeaderFields()
        for (name, value) in (uploadMetadata?.headersToInclude ?? [:]).sorted(by: { $0.key < $1.key }) {
            headers.append(name, value)
        }
        return .upload(attachmentID: attachmentId, url: url, headers: headers)
    }
}

extension AWSConnectParticipantGetAttachmentResponse {
    convenience init?(_ reply: Reply) {
        guard case .address(let address) = reply else { return nil }
        self.init()
        url = address
    }
}

extension PageRequest {
    init(_ request: AWSConnectParticipantGetTranscriptRequest) {
        self.init()
        contactID = request.contactId
        isForward = request.scanDirection == .forward
        isDescending = request.sortOrder == .descending
        maxResults = request.maxResults?.intValue ?? ConnectLimits.firstPage
        nextToken = request.nextToken
        startID = request.startPosition?.identifier
        startTime = request.startPosition?.absoluteTime
        mostRecent = request.startPosition?.mostRecent?.intValue
    }
}

extension AWSConnectParticipantGetTranscriptRequest {
    convenience init(_ page: PageRequest, token: String) {
        self.init()
        connectionToken = token
        contactId = page.contactID
        maxResults = NSNumber(value: page.maxResults)
        nextToken = page.nextToken
        scanDirection = page.isForward ? .forward : .backward
        sortOrder = page.isDescending ? .descending : .ascending
        guard page.startID != nil || page.startTime != nil || page.mostRecent != nil else { return }
        let start = AWSConnectParticipantStartPosition()
        start?.identifier = page.startID
        start?.absoluteTime = page.startTime
        start?.mostRecent = page.mostRecent.map { NSNumber(value: $0) }
        startPosition = start
    }
}

extension AWSConnectParticipantGetTranscriptResponse {
    convenience init?(_ reply: Reply) {
        guard case .page(let page) = reply else { return nil }
        self.init()
        (initialContactId, nextToken) = (page.initialContactID, page.nextToken)
        transcript = page.items.map { AWSConnectParticipantItem($0) }
    }

    fileprivate var reply: Reply? {
        let items = (transcript ?? []).compactMap { WireItem($0.json) }
        let token = nextToken.flatMap { $0.isEmpty ? nil : $0 }
        return .page(Page(initialContactID: initialContactId ?? "", items: items, nextToken: token))
    }
}

extension AWSConnectParticipantItem {
    private static let roles: [(AWSConnectParticipantParticipantRole, String)] = [
        (.agent, "AGENT"), (.customer, "CUSTOMER"), (.system, "SYSTEM"), (.customBot, "CUSTOM_BOT"),
        (.supervisor, "SUPERVISOR"),
    ]
    private static let kinds: [(AWSConnectParticipantChatItemType, String)] = [
        (.message, "MESSAGE"), (.event, "EVENT"), (.attachment, "ATTACHMENT"),
    ]
    private static let verdicts: [(AWSConnectParticipantArtifactStatus, String)] = [
        (.approved, "APPROVED"), (.rejected, "REJECTED"), (.inProgress, "IN_PROGRESS"),
    ]

    fileprivate convenience init(_ item: WireItem) {
        self.init()
        (identifier, absoluteTime, content, contentType) = (
            item.id, item.time, item.content, item.contentType
        )
        (contactId, relatedContactId) = (item.contactID, item.relatedContactID)
        (displayName, participantId) = (item.displayName, item.participantID)
        participantRole = Self.roles.first { $0.1 == item.role }?.0 ?? .unknown
        types = Self.kinds.first { $0.1 == item.type }?.0 ?? .unknown
        if let id = item.attachmentID, let file = AWSConnectParticipantAttachmentItem() {
            (file.attachmentId, file.attachmentName, file.contentType) = (id, item.content, item.contentType)
            file.status = Self.verdicts.first { $0.1 == item.attachmentStatus }?.0 ?? .unknown
            attachments = [file]
        }
        guard !item.receipts.isEmpty, let metadata = AWSConnectParticipantMessageMetadata() else { return }
        metadata.messageId = item.metadataID
        metadata.receipts = item.receipts.compactMap { receipt in
            let copy = AWSConnectParticipantReceipt()
            copy?.readTimestamp = receipt.read
            copy?.deliveredTimestamp = receipt.delivered
            copy?.recipientParticipantId = receipt.recipient
            return copy
        }
        messageMetadata = metadata
    }

    fileprivate var json: JSONValue {
        var object = JSONObject(texts: [
            "AbsoluteTime": absoluteTime, "Content": content, "ContentType": contentType, "Id": identifier,
            "Type": Self.kinds.first { $0.0 == types }?.1, "ParticipantId": participantId,
            "DisplayName": displayName, "ParticipantRole": Self.roles.first { $0.0 == participantRole }?.1,
            "ContactId": contactId, "RelatedContactId": relatedContactId,
        ])
        if let file = attachments?.first {
            let attachment = JSONObject(texts: [
                "AttachmentId": file.attachmentId, "AttachmentName": file.attachmentName,
                "ContentType": file.contentType, "Status": Self.verdicts.first { $0.0 == file.status }?.1,
            ])
            object.members.append(.init("Attachments", .array([.object(attachment)])))
        }
        if let metadata = messageMetadata {
            let receipts = (metadata.receipts ?? []).map { receipt in
                JSONValue.object(
                    JSONObject(texts: [
                        "DeliveredTimestamp": receipt.deliveredTimestamp,
                        "ReadTimestamp": receipt.readTimestamp,
                        "RecipientParticipantId": receipt.recipientParticipantId,
                    ]))
            }
            var message = JSONObject([.init("Receipts", .array(receipts))])
            message.members += JSONObject(texts: ["MessageId": metadata.messageId]).members
            object.members.append(.init("MessageMetadata", .object(message)))
        }
        return .object(object)
    }
}

extension JSONObject {
    fileprivate init(texts: KeyValuePairs<String, String?>) {
        self.init(texts.compactMap { name, text in text.map { JSONObject.Member(name, .string($0)) } })
    }
}

extension AWSConnectParticipantDescribeViewResponse {
    convenience init?(_ reply: Reply) {
        guard case .view(let value) = reply else { return nil }
        self.init()
        let view = AWSConnectParticipantView()
        view?.identifier = value["Id"]?.string
        view?.name = value["Name"]?.string
        view?.arn = value["Arn"]?.string
        view?.version = value["Version"]?.integer.map { NSNumber(value: Int($0)) }
        let content = AWSConnectParticipantViewContent()
        content?.actions = value["Content"]?["Actions"]?.array?.compactMap(\.string)
        content?.inputSchema = value["Content"]?["InputSchema"]?.string
        content?.template = value["Content"]?["Template"]?.string
        view?.content = content
        self.view = view
    }

    fileprivate var reply: Reply? {
        guard let view else { return nil }
        var content = JSONObject(texts: [
            "InputSchema": view.content?.inputSchema, "Template": view.content?.template,
        ])
        if let actions = view.content?.actions {
            content.members.append(.init("Actions", .array(actions.map(JSONValue.string))))
        }
        var object = JSONObject(texts: ["Id": view.identifier, "Name": view.name, "Arn": view.arn])
        object.members.append(.init("Content", .object(content)))
        if let version = view.version {
            object.members.append(.init("Version", .integer(Int64(version.intValue))))
        }
        return .view(.object(object))
    }
}
