/// Properties that a request's Connection, Expect, Host and Upgrade fields determine.
struct ConnectionFields: Equatable, Sendable {
    private(set) var expectsContinue = false
    private(set) var keepsAlive: Bool
    private(set) var wantsWebSocket = false

    init(_ head: RequestHead) throws(MessageFault) {
        var hosts = 0
        var saysClose = false
        var saysKeepAlive = false
        var saysUpgrade = false
        var namesWebSocket = false
        for field in head.headers.fields {
            switch field.name.utf8.count {
            case 4 where HeaderFields.same(field.name, "Host"):
                hosts += 1
                try Self.checkHost(field.value)
            case 6 where HeaderFields.same(field.name, "Expect"):
                guard HeaderFields.same(field.value, "100-continue") else { throw .unknownExpectation }
                // HTTP/1.0 clients do not know interim responses, so their Expect is ignored (RFC 9110 §10.1.1).
                expectsContinue = head.minorVersion > 0
            case 7 where HeaderFields.same(field.name, "Upgrade"):
                namesWebSocket = namesWebSocket || HeaderFields.list(field.value, contains: "websocket")
            case 10 where HeaderFields.same(field.name, "Connection"):
                saysClose = saysClose || HeaderFields.list(field.value, contains: "close")
                saysKeepAlive = saysKeepAlive || HeaderFields.list(field.value, contains: "keep-alive")
                saysUpgrade = saysUpgrade || HeaderFields.list(field.value, contains: "upgrade")
            default: break
            }
        }
        // HTTP/1.1 requires exactly one Host field. HTTP/1.0 allows one or none (RFC 9112 §3.2).
        guard hosts <= 1 else { throw .repeatedHost }
        guard hosts == 1 || head.minorVersion == 0 else { throw .missingHost }
        keepsAlive = !saysClose && (head.minorVersion > 0 || saysKeepAlive)
        wantsWebSocket = saysUpgrade && namesWebSocket && head.method == "GET" && head.minorVersion > 0
    }

    private static func checkHost(_ value: String) throws(MessageFault) {
        guard value.withBytes(HostText.isValid) else { throw .invalidHost }
    }
}
