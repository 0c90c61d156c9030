extension Response {
    /// Framing of a streamed body (RFC 9112 §6.3).
    package enum StreamFraming: Equatable, Sendable {
        case chunked
        /// Closing the connection ends the body.
        case untilClose
        /// The request is HEAD, or the status does not allow a body.
        case none
    }

    package func serialized(to head: RequestHead?, closing: Bool, date: String?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256 + body.count)
        append(into: &bytes, to: head, closing: closing, date: date)
        return bytes
    }

    /// Returns the response's bytes. A body of at least `shared` bytes is a separate array, so that it is not copied
    /// for each connection.
    package func parts(
        to head: RequestHead?, closing: Bool, date: String?, sharing shared: Int
    ) -> (start: [UInt8], body: [UInt8], end: [UInt8]) {
        let isSent = Self.mayHaveBody(status) && head?.method != "HEAD"
        guard isSent, body.count >= shared else {
            return (serialized(to: head, closing: closing, date: date), [], [])
        }
        var start: [UInt8] = []
        if isStream, let head, head.minorVersion > 0 {
            _ = appendStreamHead(into: &start, to: head, closing: closing, date: date)
            TransferChunk.appendStart(of: body.count, into: &start)
            return (start, body, TransferChunk.end + TransferChunk.last)
        }
        appendStart(into: &start, to: head, closing: closing || head?.keepsAlive == false, date: date)
        return (start, body, [])
    }

    /// Appends the status line, fields and body. Content-Length, Transfer-Encoding and Connection in ``headers`` are
    /// ignored, except `Connection: Upgrade` with status 101 or 426. Responses to HEAD and with status 1xx, 204 or 304
    /// have no body.
    package func append(into bytes: inout [UInt8], to head: RequestHead?, closing: Bool, date: String?) {
        // HTTP/1.0 has no chunked coding, so its clients get a Content-Length.
        if isStream, let head, head.minorVersion > 0 {
            let framing = appendStreamHead(into: &bytes, to: head, closing: closing, date: date)
            guard framing == .chunked else { return }
            TransferChunk.append(body, into: &bytes)
            return bytes.append(contentsOf: TransferChunk.last)
        }
        appendStart(into: &bytes, to: head, closing: closing || head?.keepsAlive == false, date: date)
        if Self.mayHaveBody(status), head?.method != "HEAD" { bytes.append(contentsOf: body) }
    }

    /// Appends the head of a response whose body follows in parts. ``body`` is not used.
    package func appendStreamHead(
        into bytes: inout [UInt8], to head: RequestHead, closing: Bool, date: String?
    ) -> StreamFraming {
        let hasBody = Self.mayHaveBody(status)
        let isChunked = hasBody && head.minorVersion > 0
        let closing = closing || !head.keepsAlive || hasBody && !isChunked
        appendStart(into: &bytes, to: head, closing: closing, date: date, isStream: true)
        guard hasBody, head.method != "HEAD" else { return .none }
        return isChunked ? .chunked : .untilClose
    }

    /// Whether a response with this status may have a body (RFC 9110 §6.4.1).
    private static func mayHaveBody(_ status: Int) -> Bool {
        status >= 200 && status != 204 && status != 304
    }

    /// Appends the head. `isStream` leaves out Content-Length.
    private func appendStart(
        into bytes: inout [UInt8], to head: RequestHead?, closing: Bool, date: String?, isStream: Bool = false
    ) {
        let size = Self.linesBytes + (date?.utf8.count ?? 0) + headers.lineBytes
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { room in
            var writer = HeadWriter(room)
            writeStart(into: &writer, to: head, closing: closing, date: date)
            if Self.mayHaveBody(status) {
                if !isStream {
                    writer.add("Content-Length: ")
                    writer.add(decimal: body.count)
                    writer.add("\r\n")
                } else if (head?.minorVersion ?? 0) > 0 {
                    writer.add("Transfer-Encoding: chunked\r\n")
                }
            }
            writer.add("\r\n")
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: room[..<writer.count]))
        }
    }

    /// Room for all lines except those of ``headers`` and the date.
    private static let linesBytes = 512

    private func writeStart(
        into writer: inout HeadWriter, to head: RequestHead?, closing: Bool, date: String?
    ) {
        writer.add("HTTP/1.1 ")
        writer.add(decimal: status)
        writer.add(" ")
        writer.add(ReasonPhrase.text(for: status))
        writer.add("\r\n")
        if let date, headers["Date"] == nil { writer.add(name: "Date", value: date) }
        var protection = ProtectiveFields()
        let fields = headers.fields
        for index in fields.indices {
            let name = fields[index].name
            if isProtected { protection.omit(name) }
            switch name.utf8.count {
            case 14 where HeaderFields.same(name, "Content-Length"): continue
            case 17 where HeaderFields.same(name, "Transfer-Encoding"): continue
            case 10 where HeaderFields.same(name, "Connection") && !names(upgrade: fields[index].value):
                continue
            default: writer.add(name: name, value: fields[index].value)
            }
        }
        guard status >= 200 else { return }
        if isProtected { protection.add(to: &writer) }
        if closing {
            writer.add("Connection: close\r\n")
        } else if head?.minorVersion == 0 {
            // Without `keep-alive`, an HTTP/1.0 client expects the connection to be closed (RFC 9112 §9.3).
            writer.add("Connection: keep-alive\r\n")
        }
    }

    /// Whether the response keeps its own Connection field: 101 and 426 must name Upgrade (RFC 9110 §7.8).
    private func names(upgrade value: String) -> Bool {
        (status == 101 || status == 426) && HeaderFields.list(value, contains: "upgrade")
    }
}
