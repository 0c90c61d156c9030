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

    func append(to bytes: inout [UInt8]) {
        if sniffing { bytes.append(line: "X-Content-Type-Options: nosniff") }
        if policy { bytes.append(line: "Content-Security-Policy: sandbox; default-src 'none'") }
        if embedding { bytes.append(line: "Cross-Origin-Resource-Policy: same-origin") }
    }
}
