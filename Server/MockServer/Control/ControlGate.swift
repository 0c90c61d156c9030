import HTTPCore

/// Access control of the control API, against pages of other origins and unknown callers.
///
/// | check | stops | status |
/// | --- | --- | --- |
/// | Host is the server's own | DNS rebinding: names that a foreign site points at this machine | 403 |
/// | Origin, if any, is the server's own; Sec-Fetch-Site, if any, is `same-origin` or `none` | other pages | 403 |
/// | a body is declared as JSON, or as rows for an import | forms of other pages, which cannot declare it | 415 |
/// | a write without a body carries `X-Mock-Control: 1` or declares JSON | forms of other pages | 403 |
/// | the control token, when there is one | other people on this machine or network | 401 |
struct ControlGate: Sendable {
    static let tokenField = "X-Mock-Token"
    static let controlField = "X-Mock-Control"

    let host: String
    let token: String?

    init(_ configuration: Configuration) {
        host = configuration.host
        token = configuration.control.token
    }

    func allowsLooking(_ head: RequestHead) -> Bool {
        Self.guardedRoute.map { refusal(of: head, for: $0, hasBody: false) == nil } ?? false
    }

    private static let guardedRoute = ControlRoute.all.first { $0.name == "metricsJSON" }

    /// Returns the refusal of a request; nil to allow it. `queryToken` counts only for WebSockets, because browsers
    /// cannot add header fields to their handshake.
    func refusal(
        of head: RequestHead, for route: ControlRoute, hasBody: Bool, queryToken: String? = nil
    ) -> ControlProblem? {
        guard let authority = head.authority, isOwn(authority) else { return foreignHost(head) }
        if let refusal = refusal(ofForeign: head) { return refusal }
        if let token {
            let given = head.headers[Self.tokenField] ?? (route.isWebSocket ? queryToken : nil)
            guard let given else {
                let hint = route.isWebSocket ? ", or ?token= in the address" : ""
                return ControlProblem(
                    401, "This server wants its control token; send the field \(Self.tokenField)\(hint).")
            }
            guard Self.areSame(given, token) else {
                return ControlProblem(
                    401,
                    "The control token is not the one this server was started with; compare "
                        + "\(Self.tokenField) with --control-token.")
            }
        }
        return route.writes ? refusal(ofWrite: head, route, hasBody: hasBody) : nil
    }

    /// Refuses a request from a page of another origin. Returns nil for other requests.
    func refusal(ofForeign head: RequestHead) -> ControlProblem? {
        Self.foreignPage(in: head).map {
            ControlProblem(
                403, "A page of another origin (\($0)) may not control this server; use its own pages.")
        }
    }

    /// Returns the field that shows a page of another origin, such as `Sec-Fetch-Site: cross-site` (W3C Fetch
    /// Metadata). `same-site` is another port of this machine.
    static func foreignPage(in head: RequestHead) -> String? {
        let authority = head.authority ?? ""
        let foreign = head.headers.fields.first { field in
            switch field.name.utf8.count {
            case 6 where field.name.lowercased() == "origin": !isOrigin(field.value, of: authority)
            case 14 where field.name.lowercased() == "sec-fetch-site":
                !["same-origin", "none"].contains(field.value)
            default: false
            }
        }
        return foreign.map { "\($0.name): \(quoted($0.value))" }
    }

    private func foreignHost(_ head: RequestHead) -> ControlProblem {
        ControlProblem(
            403,
            "The Host field names \(Self.quoted(head.authority ?? "nothing")), which is not this server; use "
                + "http://127.0.0.1 with the server's port.")
    }

    /// Refuses a request for a page, or returns nil. Browsers that load a page send no token.
    func refusal(ofPage head: RequestHead) -> ControlProblem? {
        guard let authority = head.authority, isOwn(authority) else { return foreignHost(head) }
        guard let origin = head.headers["Origin"], !Self.isOrigin(origin, of: authority) else { return nil }
        return ControlProblem(403, "The pages of this server are not for \(Self.quoted(origin)).")
    }

    private func refusal(ofWrite head: RequestHead, _ route: ControlRoute, hasBody: Bool) -> ControlProblem? {
        let type = Self.mediaType(head.headers["Content-Type"] ?? "")
        let isJSON = type == "application/json"
        let isRows = route.body == .rows && Self.rowTypes.contains(type)
        if hasBody {
            guard isJSON || isRows else {
                return ControlProblem(
                    415,
                    "The body of \(route.method) \(route.path) has the type "
                        + "\(Self.quoted(type.isEmpty ? "none" : type)); send Content-Type: application/json."
                )
            }
        } else if !isJSON, head.headers[Self.controlField] != "1" {
            return ControlProblem(
                403,
                "\(route.method) \(route.path) without a body needs the field "
                    + "\(Self.controlField): 1, so that no foreign page can send it.")
        }
        return nil
    }

    /// Media types of import files. HTML forms cannot send these types.
    private static let rowTypes = ["application/x-ndjson", "application/jsonl", "application/har+json"]

    // MARK: - Hosts

    /// Whether the host is the server's own. If the server listens on 0.0.0.0 or ::, every IP address counts as its
    /// own, because DNS rebinding needs a name.
    private func isOwn(_ authority: String) -> Bool {
        let name = Self.hostName(authority)
        if ["localhost", "127.0.0.1", "::1", host.lowercased()].contains(name) { return true }
        guard host == "0.0.0.0" || host == "::" else { return false }
        return name.contains(":") || name.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
    }

    static func hostName(_ authority: String) -> String {
        let text = authority.lowercased()
        if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
        return String(text.prefix { $0 != ":" })
    }

    private static func isOrigin(_ origin: String, of authority: String) -> Bool {
        let origin = origin.lowercased()
        let scheme = "http://"
        guard origin.hasPrefix(scheme) else { return false }
        // Browsers omit port 80 in Host and Origin.
        func plain(_ text: String) -> String { text.hasSuffix(":80") ? String(text.dropLast(3)) : text }
        return plain(String(origin.dropFirst(scheme.count))) == plain(authority.lowercased())
    }

    // MARK: - Texts

    private static func mediaType(_ field: String) -> String {
        let type = field.prefix { $0 != ";" }.lowercased()
        return String(type.split(separator: " ", omittingEmptySubsequences: true).first ?? "")
    }

    /// Compares two tokens in a time that does not depend on where they differ.
    private static func areSame(_ given: String, _ wanted: String) -> Bool {
        let (given, wanted) = (Array(given.utf8), Array(wanted.utf8))
        var difference = given.count ^ wanted.count
        for index in wanted.indices {
            difference |= Int(wanted[index] ^ (index < given.count ? given[index] : 0))
        }
        return difference == 0
    }

    private static func quoted(_ text: String) -> String { "\"\(Logger.clip(text))\"" }
}
