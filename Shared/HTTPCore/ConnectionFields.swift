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
        let fields = head.headers.fields
        // By index: a loop over the fields would retain the texts of each.
        for index in fields.indices {
            switch fields[index].name.utf8.count {
            case 4 where HeaderFields.same(fields[index].name, "Host"):
                hosts += 1
                try Self.checkHost(fields[index].value)
            case 6 where HeaderFields.same(fields[index].name, "Expect"):
                let value = fields[index].value
                guard HeaderFields.same(value, "100-continue") else { throw .unknownExpectation }
                // HTTP/1.0 clients do not know interim responses, so their Expect is ignored (RFC 9110 §10.1.1).
                expectsContinue = head.minorVersion > 0
            case 7 where HeaderFields.same(fields[index].name, "Upgrade"):
                let value = fields[index].value
                namesWebSocket = namesWebSocket || HeaderFields.list(value, contains: "websocket")
            case 10 where HeaderFields.same(fields[index].name, "Connection"):
                let value = fields[index].value
                saysClose = saysClose || HeaderFields.list(value, contains: "close")
                saysKeepAlive = saysKeepAlive || HeaderFields.list(value, contains: "keep-alive")
                saysUpgrade = saysUpgrade || HeaderFields.list(value, contains: "upgrade")
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
