import Clocks
import ConversationEngine
package import DialectKit
import HTTPCore
import Texts

extension PolyDialect {
    /// Answers `POST /api/v1/sessions` (protocol.md#session-request, protocol.md#session-check-order).
    func session(_ request: Request, _ reply: ResponseBuilder, host: inout any DialectContext) -> Response {
        host.facts = RequestInfo(.session, correlation: reply.given)
        guard let authorization = request.head.headers["Authorization"] else {
            return reply.refusal(.missingToken, because: "the field Authorization is missing", &host)
        }
        guard let text = Self.bearer(authorization) else {
            let reason = "the header Authorization is not \"Bearer <token>\""
            return reply.refusal(.malformedAuthorization, because: reason, detail: reason, &host)
        }
        let token: AccessToken
        do throws(AccessToken.Fault) {
            token = try self.token(text, isLast: true, host: &host)
        } catch {
            return reply.refusal(
                .invalidToken, because: "access token refused for a session: \(error.rawValue)", &host)
        }
        host.facts?.subject = token.tokenID
        host.facts?.tokenExpiry = Instant(secondsSince1970: token.expiresAt)
        if let limit = options.rates.rest?.limit,
            let wait = host.consumeToken(for: "session", of: token.connectorID, limit: limit)
        {
            return reply.tooFast("connector \(token.connectorID) opens more sessions", wait: wait, &host)
        }
        let read = request.prepared as? ReadAhead ?? ReadAhead(body: SessionBody(request.body))
        guard let body = read.body else {
            return reply.refusal(
                .unreadableRequest,
                because: "the body is no JSON object, or has a streaming_enabled that is no boolean, a "
                    + "platform that is no text, extensions that are no list, or a platform or a device_type of more than "
                    + "\(PolyLimits.clientWordBytes) bytes", &host)
        }
        let contextID = sendsContextID(to: token.connectorID) ? host.uniqueID().text : nil
        let wish = SessionRequest(
            owner: owner(token, text: text), scenario: token.scenario, isStreaming: body.isStreaming,
            joinsWithBlanks: Self.joinsWithBlanks(request.head.headers["User-Agent"]),
            platform: body.platform, deviceType: body.deviceType, contextID: contextID,
            extensions: body.extensions)
        switch host.openSession(wish) {
        case .opened(let id):
            host.facts?.session = id
            return reply.success { body in
                JSONWriter.literal(#"{"session_id":"#, into: &body)
                JSONWriter.string(id, into: &body)
                JSONWriter.literal("}", into: &body)
            }
        case .refused(let reason):
            return reply.refusal(
                .sessionFailure, because: "session refused: \(reason)", detail: reason, &host)
        }
    }

    /// Whether the client is a published SDK, which puts a space between chunks (protocol.md#chunks-for-blank-joiners).
    /// The `User-Agent` of this project's SDK contains " polymock".
    static func joinsWithBlanks(_ userAgent: String?) -> Bool {
        guard let userAgent else { return false }
        let isPublished = ["PolyMessaging-iOS/", "PolyMessaging-Android/"].contains {
            userAgent.hasPrefix($0)
        }
        return isPublished && !userAgent.hasSuffix(" polymock")
    }

    /// Returns the token of `Bearer <token>`. The scheme is case-insensitive (RFC 9110 §11.1).
    static func bearer(_ field: String) -> String? {
        // Not `split`, which took 20,200 instructions for a token's session, where this takes 2,700.
        var field = field
        return field.withUTF8 { field in
            // The usual form. Eight bytes at a time: 2,300 becomes 300.
            let usual: StaticString = "Bearer "
            if field.count > 7, usual.withUTF8Buffer({ field[..<7].elementsEqual($0) }) {
                let token = UnsafeBufferPointer(rebasing: field[7...])
                if !token.hasBlank { return String(decoding: token, as: UTF8.self) }
            }
            let text = field.drop { $0 == UInt8(ascii: " ") }
            let scheme = text.prefix { $0 != UInt8(ascii: " ") }
            guard scheme.count == 6, String(decoding: scheme, as: UTF8.self).lowercased() == "bearer"
            else { return nil }
            let rest = text[scheme.endIndex...].drop { $0 == UInt8(ascii: " ") }
            let token = rest.prefix { $0 != UInt8(ascii: " ") }
            let isLast = rest[token.endIndex...].allSatisfy { $0 == UInt8(ascii: " ") }
            return token.isEmpty || !isLast ? nil : String(decoding: token, as: UTF8.self)
        }
    }

    private func sendsContextID(to connectorID: String) -> Bool {
        options.connectors.first { $0.id == connectorID }?.sendsContextID == true
    }
}

extension PolyDialect {
    package func preparation(of request: Request) -> (@Sendable () -> any Sendable)? {
        let body = request.body
        guard request.operation == "CreateSession" else { return nil }
        return { ReadAhead(body: SessionBody(body)) }
    }
}

private struct ReadAhead: Sendable {
    let body: SessionBody?
}

/// Body of a session request.
private struct SessionBody: Sendable {
    var isStreaming = false
    var platform = "web"
    var deviceType: String?
    /// Not a literal, which takes 900 instructions.
    var extensions = Extensions(rawValue: 0)

    /// Parses a body; nil if it is to be refused (protocol.md#session-body-types, extensions.md#asking).
    init?(_ bytes: [UInt8]) {
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) { return }
        guard case .object(let object)? = try? JSONReader.read(bytes) else { return nil }
        switch object["streaming_enabled"] {
        case nil, .null?: break
        case .bool(let flag)?: isStreaming = flag
        default: return nil
        }
        switch object["platform"] {
        case nil, .null?: break
        case .string(let name)?: platform = name
        default: return nil
        }
        switch object["extensions"] {
        case nil, .null?: break
        case .array(let names)?: extensions = Extensions(names: names.compactMap(\.string))
        default: return nil
        }
        deviceType = object["device_type"]?.string
        let longest = max(platform.utf8.count, deviceType?.utf8.count ?? 0)
        if longest > PolyLimits.clientWordBytes { return nil }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var hasBlank: Bool {
        guard let start = UnsafeRawPointer(baseAddress) else { return false }
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        while index &+ 8 <= count {
            let odd = (start + index).loadUnaligned(as: UInt64.self) ^ ones &* 0x20
            if (odd &- ones) & ~odd & ones &* 0x80 != 0 { return true }
            index &+= 8
        }
        while index < count {
            if self[index] == UInt8(ascii: " ") { return true }
            index &+= 1
        }
        return false
    }
}
