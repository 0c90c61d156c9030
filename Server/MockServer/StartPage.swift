import HTTPCore
import Pages
import Texts

/// What a browser sees at `/`: what this is and how to connect.
enum StartPage {
    /// The page with the address it was asked for, as the visitor's Host field tells it; without `controls` it says
    /// nothing of the control API.
    static func response(host: String, controls: Bool) -> Response {
        let page = UnsafeBufferPointer(start: polymock_start_page_bytes(), count: polymock_start_page_length)
        let text = String(decoding: page, as: UTF8.self)
        // A Host field was checked by the parser: it cannot hold markup.
        let parts = Self.text(of: text, controls: controls).pieces(between: "HOST")
        return WebPages.plainPage(parts.joined(separator: host))
    }

    /// What leads to the control API stands between two marks.
    private static func text(of page: String, controls: Bool) -> String {
        let parts = page.pieces(between: "<!--controls-->")
        let others = parts.dropFirst().map { part in
            let halves = String(part).pieces(between: "<!---->")
            return (controls ? halves : Array(halves.dropFirst())).joined()
        }
        return parts[0] + others.joined()
    }
}
