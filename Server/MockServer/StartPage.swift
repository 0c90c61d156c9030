import HTTPCore
import Pages
import Texts

/// What a browser sees at `/`: what this is and how to connect.
enum StartPage {
    /// The page with the address it was asked for, as the visitor's Host field tells it.
    static func response(host: String) -> Response {
        let page = UnsafeBufferPointer(start: polymock_start_page_bytes(), count: polymock_start_page_length)
        let text = String(decoding: page, as: UTF8.self)
        // A Host field was checked by the parser: it cannot hold markup.
        let parts = text.pieces(between: "HOST")
        return Response(
            status: 200,
            headers: [
                "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
            ],
            body: Array(parts.joined(separator: host).utf8))
    }
}
