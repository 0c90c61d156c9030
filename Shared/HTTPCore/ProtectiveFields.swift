/// Header fields that keep browsers from running a body as page or script, even if a client chose its bytes.
struct ProtectiveFields {
    /// Browsers must not guess types (Fetch standard §3.6).
    private var sniffing = true
    /// Gives the body an opaque origin and forbids scripts (Content Security Policy Level 3 §6.3.2).
    private var policy = true
    /// Pages of other origins must not embed the body (Fetch standard §3.7).
    private var embedding = true

    /// Leaves out the field `name`, because the response has its own.
    mutating func omit(_ name: String) {
        switch name.utf8.count {
        case 22 where HeaderFields.same(name, "X-Content-Type-Options"): sniffing = false
        case 23 where HeaderFields.same(name, "Content-Security-Policy"): policy = false
        case 28 where HeaderFields.same(name, "Cross-Origin-Resource-Policy"): embedding = false
        default: break
        }
    }

    func add(to writer: inout HeadWriter) {
        if sniffing { writer.add("X-Content-Type-Options: nosniff\r\n") }
        if policy { writer.add("Content-Security-Policy: sandbox; default-src 'none'\r\n") }
        if embedding { writer.add("Cross-Origin-Resource-Policy: same-origin\r\n") }
    }
}
