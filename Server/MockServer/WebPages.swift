import DialectKit
import HTTPCore
import Pages
import SocketTransport
import Texts

/// Web pages `/chat`, `/inspect` and `/docs` with files, from the binary or ``Configuration/Pages/folder``.
struct WebPages: Sendable {
    /// Routes of the pages and their files.
    static let routes = [
        "/chat", "/inspect", "/docs", "/pages/config.json", "/pages/docs/all.json", "/pages/{folder}/{file}",
        "/pages/{folder}/{inner}/{file}",
    ].map { Route($0, methods: ["GET"], isExact: $0.hasPrefix("/pages/")) }

    /// Whether a target is a page, or a file of the pages.
    static func isOwn(_ target: String) -> Bool {

        let path = target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
        return ["/chat", "/inspect", "/docs", "/chat/", "/inspect/", "/docs/"].contains { path == $0 }
            || path.hasPrefix("/pages/")
    }

    private let settings: Configuration.Pages
    private let gate: ControlGate
    private let hasInspector: Bool
    private let config: [UInt8]

    init(_ configuration: Configuration) {
        settings = configuration.pages
        gate = ControlGate(configuration)
        hasInspector = configuration.control.isOn
        var pages = configuration.pages
        // The chat page reads running tools from the control API. The page has no token, so the API must need none.
        pages.members["runs"] = hasInspector && configuration.control.token == nil ? .bool(true) : nil
        config = JSONWriter.bytes(pages.content)
    }

    func response(to head: RequestHead, route: String, _ segments: [String: String]) -> Response {
        if let problem = gate.refusal(ofPage: head) { return problem.response }
        switch route {
        case "/chat": return file("chat/chat.html", head, policy: "frame-ancestors 'self'")
        case "/inspect":
            guard hasInspector else { return missing(route, because: Self.controlsAreOff) }
            return file("inspect/inspect.html", head, policy: "frame-src 'self'; frame-ancestors 'none'")
        case "/docs": return file("docs/docs.html", head, policy: "frame-ancestors 'none'")
        case "/pages/docs/all.json":
            return answer(Documentation.json, type: Self.types["json"] ?? "", head)
        case "/pages/config.json": return answer(config, type: Self.types["json"] ?? "", head)
        default:
            // Uses the segments as sent, because an escaped slash does not separate segments.
            let name = ["folder", "inner", "file"].compactMap { segments[$0] }.joined(separator: "/")
            // Refuses HTML pages here, because only addresses such as `/chat` send a Content-Security-Policy.
            guard !name.hasSuffix(".html") else {
                return missing(name, because: "pages are at /chat, /inspect and /docs")
            }
            guard hasInspector || !name.hasPrefix("inspect/") else {
                return missing(name, because: Self.controlsAreOff)
            }
            return file(name, head)
        }
    }

    private static let controlsAreOff = "the control API is off (--no-control)"

    private func file(_ name: String, _ head: RequestHead, policy: String? = nil) -> Response {
        guard let type = Self.types[name.split(separator: ".").last.map { String($0) } ?? ""],
            let bytes = bytes(of: name)
        else { return missing(name, because: "no file of the pages is called so") }
        return answer(bytes, type: type, head, policy: policy)
    }

    private func missing(_ name: String, because reason: String) -> Response {
        ControlProblem(404, "There is no \(Logger.clip(name)) here: \(reason).").response
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "json": "application/json", "svg": "image/svg+xml",
    ]

    private func bytes(of name: String) -> [UInt8]? {
        guard let folder = settings.folder else { return Self.embedded(name) }
        // Accepts plain names only, so that no path leads out of the folder.
        let isPlain = name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && !part.hasPrefix(".")
                && part.utf8.allSatisfy { byte in
                    0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
                        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
                }
        }
        return isPlain ? Files.read("\(folder)/\(name)", atMost: ServerLimits.pageBytes) : nil
    }

    private static func embedded(_ name: String) -> [UInt8]? {
        let files = UnsafeBufferPointer(start: polymock_files(), count: polymock_file_count)
        guard let file = files.first(where: { String(cString: $0.path) == name }) else { return nil }
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
    }

    /// A response with the bytes, or 304 if the browser's copy is current (RFC 9110 §13.1.2, §15.4.5).
    private func answer(
        _ bytes: [UInt8], type: String, _ head: RequestHead, policy: String? = nil
    ) -> Response {
        let tag = "\"\(SHA256.hex(of: bytes).prefix(16))\""
        var headers: HeaderFields = ["ETag": tag, "Cache-Control": "no-cache"]
        Self.addFields(policy: policy.map { Self.policy + "; " + $0 }, to: &headers)
        let known = head.headers["If-None-Match"]?.split(separator: ",").map { known in
            let known = known.drop { $0 == " " }
            return known.hasPrefix("W/") ? String(known.dropFirst(2)) : String(known)
        }
        if known?.contains(where: { $0.hasPrefix(tag) || $0 == "*" }) == true {
            return Response(status: 304, headers: headers)
        }
        headers.set("Content-Type", type)
        return Response(status: 200, headers: headers, body: bytes)
    }

    private static func addFields(policy: String?, to headers: inout HeaderFields) {
        headers.append("Referrer-Policy", "no-referrer")
        headers.append("Cross-Origin-Opener-Policy", "same-origin")
        headers.append("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        if let policy { headers.append("Content-Security-Policy", policy) }
    }

    /// A generated page without scripts. Its style is allowed by its hash (Content Security Policy Level 3).
    static func plainPage(_ text: String) -> Response {
        var headers: HeaderFields = ["Content-Type": types["html"] ?? "", "Cache-Control": "no-store"]
        let style =
            text.pieces(between: "<style>").last.map { String($0).pieces(between: "</style>")[0] } ?? ""
        let hash = Base64.standard.text(of: SHA256.digest(of: Array(style.utf8)))
        addFields(
            policy: "default-src 'none'; style-src 'sha256-\(hash)'; img-src data:; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'", to: &headers)
        return Response(status: 200, headers: headers, body: Array(text.utf8))
    }

    /// Scripts and styles only from this server, and no markup from strings (Content Security Policy 3; Trusted Types).
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
        img-src 'self' data: blob: https:; media-src 'self' blob: https:; base-uri 'none'; form-action 'none'; \
        require-trusted-types-for 'script'; trusted-types 'none'
        """
}

/// The page at `/`, which explains how to connect.
enum StartPage {
    /// Returns the page. `host` is from the Host field. Without `controls`, the page omits the control API.
    static func response(host: String, controls: Bool) -> Response {
        let page = UnsafeBufferPointer(start: polymock_start_page_bytes(), count: polymock_start_page_length)
        let text = String(decoding: page, as: UTF8.self)
        // Needs no escaping, because the parser allows no markup in the Host field.
        let parts = Self.text(of: text, controls: controls).pieces(between: "HOST")
        return WebPages.plainPage(parts.joined(separator: host))
    }

    /// Returns the page's text. Without `controls`, removes links to the control API.
    private static func text(of page: String, controls: Bool) -> String {
        let parts = page.pieces(between: "<!--controls-->")
        let others = parts.dropFirst().map { part in
            let halves = String(part).pieces(between: "<!---->")
            return (controls ? halves : Array(halves.dropFirst())).joined()
        }
        return parts[0] + others.joined()
    }
}
