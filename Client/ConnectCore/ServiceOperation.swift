package import Clocks
package import HTTPCore
package import Texts

package enum ServiceOperation: Equatable, Sendable {
    case createConnection(participantToken: String)
    case disconnect
    case sendMessage(contentType: String, text: String, clientToken: String)
    case sendEvent(contentType: String, content: String, clientToken: String)
    case getTranscript(PageRequest)
    case startUpload(contentType: String, name: String, byteCount: Int, clientToken: String)
    case completeUpload(attachmentID: String, clientToken: String)
    case getAttachment(id: String)
    case describeView(token: String)

    package var path: String {
        switch self {
        case .createConnection: "/participant/connection"
        case .disconnect: "/participant/disconnect"
        case .sendMessage: "/participant/message"
        case .sendEvent: "/participant/event"
        case .getTranscript: "/participant/transcript"
        case .startUpload: "/participant/start-attachment-upload"
        case .completeUpload: "/participant/complete-attachment-upload"
        case .getAttachment: "/participant/attachment"
        case .describeView(let token): "/participant/views/" + PercentCoding.encode(token)
        }
    }

    package var body: JSONObject? {
        switch self {
        case .createConnection:
            ["Type": .array([.string("WEBSOCKET"), .string("CONNECTION_CREDENTIALS")])]
        case .disconnect: [:]
        case .sendMessage(let contentType, let text, let token):
            [
                "ContentType": .string(contentType), "Content": .string(text), "ClientToken": .string(token),
            ]
        case .sendEvent(let contentType, let content, let token):
            // Empty content is left out, because the service requires at least one character.
            JSONObject(
                [.init("ContentType", .string(contentType))]
                    + (content.isEmpty ? [] : [.init("Content", .string(content))])
                    + [.init("ClientToken", .string(token))])
        case .getTranscript(let page): page.body
        case .startUpload(let contentType, let name, let byteCount, let token):
            [
                "ContentType": .string(contentType), "AttachmentName": .string(name),
                "AttachmentSizeInBytes": .integer(Int64(byteCount)), "ClientToken": .string(token),
            ]
        case .completeUpload(let id, let token):
            ["AttachmentIds": .array([.string(id)]), "ClientToken": .string(token)]
        case .getAttachment(let id): ["AttachmentId": .string(id)]
        case .describeView: nil
        }
    }

    package func read(_ body: [UInt8]) -> Reply {
        guard let value = try? JSONReader.read(body, manner: .lenient), value.object != nil else {
            return .failed(.unexpectedAnswer("The service's answer is not JSON."))
        }
        let missing = Reply.failed(.unexpectedAnswer("The service's answer lacks a member."))
        switch self {
        case .createConnection:
            guard let url = value["Websocket"]?["Url"]?.string,
                let token = value["ConnectionCredentials"]?["ConnectionToken"]?.string
            else { return missing }
            return .connection(
                Credentials(
                    url: url, token: token,
                    expiry: Self.instant(value["ConnectionCredentials"]?["Expiry"]),
                    urlExpiry: Self.instant(value["Websocket"]?["ConnectionExpiry"])))
        case .disconnect, .completeUpload: return .done
        case .sendMessage, .sendEvent:
            guard let id = value["Id"]?.string else {
                if case .sendEvent = self { return .done }
                return missing
            }
            return .accepted(id: id, time: value["AbsoluteTime"]?.string ?? "")
        case .getTranscript:
            let items = (value["Transcript"]?.array ?? []).compactMap { WireItem($0) }
            let token = value["NextToken"]?.string ?? ""
            return .page(
                Page(
                    initialContactID: value["InitialContactId"]?.string ?? "", items: items,
                    nextToken: token.isEmpty ? nil : token))
        case .startUpload:
            guard let id = value["AttachmentId"]?.string, let url = value["UploadMetadata"]?["Url"]?.string
            else { return missing }
            let headers = value["UploadMetadata"]?["HeadersToInclude"]?.object ?? [:]
            var fields = HeaderFields()
            for member in headers.members {
                if let text = member.value.string { fields.append(member.name, text) }
            }
            return .upload(attachmentID: id, url: url, headers: fields)
        case .getAttachment:
            guard let url = value["Url"]?.string else { return missing }
            return .address(url)
        case .describeView:
            guard let view = value["View"], view.object != nil else { return missing }
            return .view(view)
        }
    }

    private static func instant(_ value: JSONValue?) -> Instant? {
        value?.string.flatMap(TimeStamp.parse).map { Instant(nanosecondsSince1970: $0) }
    }
}

package struct PageRequest: Equatable, Sendable {
    package var contactID: String?
    package var isForward = false
    package var isDescending = false
    package var maxResults = ConnectLimits.firstPage
    package var nextToken: String?
    package var startID: String?
    package var startTime: String?
    package var mostRecent: Int?

    package init() {}

    package var body: JSONObject {
        var members: [JSONObject.Member] = [
            .init("ScanDirection", .string(isForward ? "FORWARD" : "BACKWARD")),
            .init("SortOrder", .string(isDescending ? "DESCENDING" : "ASCENDING")),
            .init("MaxResults", .integer(Int64(maxResults))),
        ]
        if let contactID { members.append(.init("ContactId", .string(contactID))) }
        if let nextToken { members.append(.init("NextToken", .string(nextToken))) }
        var start = JSONObject()
        if let startID { start.members.append(.init("Id", .string(startID))) }
        if let startTime { start.members.append(.init("AbsoluteTime", .string(startTime))) }
        if let mostRecent { start.members.append(.init("MostRecent", .integer(Int64(mostRecent)))) }
        if !start.members.isEmpty { members.append(.init("StartPosition", .object(start))) }
        return JSONObject(members)
    }
}

package struct Credentials: Equatable, Sendable {
    package var url: String
    package var token: String
    package var expiry: Instant?
    package var urlExpiry: Instant?
}

package struct Page: Equatable, Sendable {
    package var initialContactID: String
    package var items: [WireItem]
    package var nextToken: String?

    package init(initialContactID: String, items: [WireItem], nextToken: String?) {
        self.initialContactID = initialContactID
        self.items = items
        self.nextToken = nextToken
    }
}

package enum Reply: Equatable, Sendable {
    case connection(Credentials)
    case accepted(id: String, time: String)
    case done
    case page(Page)
    case upload(attachmentID: String, url: String, headers: HeaderFields)
    case address(String)
    case view(JSONValue)
    case failed(ConnectChatError)
    /// All attempts failed, but the service may have executed one.
    case unsettled(ConnectChatError)

    package var error: ConnectChatError? {
        switch self {
        case .failed(let error), .unsettled(let error): error
        default: nil
        }
    }

    var isUncertain: Bool {
        switch self {
        case .unsettled: true
        case .failed(let error): error.isUncertain
        default: false
        }
    }
}

extension ConnectChatError {
    /// Reads an error response. The exception's name comes from the header or the body, without namespace and suffix.
    init(status: Int, headers: HeaderFields, body: [UInt8]) {
        let value = try? JSONReader.read(body, manner: .lenient)
        let name =
            headers["x-amzn-ErrorType"] ?? value?["__type"]?.string ?? value?["code"]?.string ?? ""
        let bare = name.split(separator: "#").last.map(String.init) ?? ""
        let type = bare.prefix { $0 != ":" && $0 != "," }
        self = .service(
            ServiceError(
                type: String(type), status: status,
                message: value?["message"]?.string ?? value?["Message"]?.string ?? "",
                requestId: headers["x-amzn-RequestId"],
                retryAfter: headers["Retry-After"].flatMap { Double($0) }))
    }

    /// Adds the origin of the service's invalid URL to an "invalid argument" error.
    func of(_ origin: String) -> ConnectChatError {
        guard case .invalidArgument(let text) = self else { return self }
        return .invalidArgument("The service gave the address \(origin). \(text)")
    }

    /// Whether the service denies the participant access: the chat has ended for this participant.
    var isAccessDenied: Bool {
        guard case .service(let error) = self else { return false }
        return error.status == 403 && error.type == "AccessDeniedException"
    }

    var status: Int? {
        switch self {
        case .service(let error): error.status
        case .uploadRefused(let status), .downloadRefused(let status): status
        default: nil
        }
    }

    /// Whether the service may have executed the request: no readable answer, or status 5xx (RFC 9110 §15.6).
    var isUncertain: Bool {
        switch self {
        case .network, .timedOut, .unexpectedAnswer: true
        case .service, .uploadRefused: (status ?? 0) >= 500
        default: false
        }
    }

    /// Whether a retry cannot succeed, such as after an invalid URL or most 3xx and 4xx statuses (RFC 9110 §15.4,
    /// §15.5).
    var isFinal: Bool {
        switch self {
        case .invalidArgument, .encryptionUnavailable: true
        case .service(let error): 300..<500 ~= error.status && ![408, 425, 429].contains(error.status)
        default: false
        }
    }
}
