import DialectKit
import HTTPCore
import Texts

enum ControlPages {
    /// Statements of the protocol pages as Markdown, by names such as `protocol.md#join-once`.
    static let statements: [String: String] = {
        var statements: [String: String] = [:]
        let folder = "Shared/Docs/"
        for page in Documentation.pages where page.name.hasPrefix(folder + "protocol") {
            var name = ""
            for line in page.text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("#") {
                    name =
                        line.hasPrefix("#### ")
                        ? "\(page.name.dropFirst(folder.count))#\(line.dropFirst(5))" : ""
                } else if !name.isEmpty, !line.isEmpty || statements[name] != nil {
                    statements[name, default: ""] += line + "\n"
                }
            }
        }
        return statements.mapValues { text in String(text.reversed().drop { $0 == "\n" }.reversed()) }
    }()

    static func index(acceptsHTML: Bool) -> Response {
        if acceptsHTML { return WebPages.plainPage(page) }
        let routes = ControlRoute.all.map { route in
            ControlJSON.object([
                ("method", .string(route.method)), ("path", .string(route.path)),
                ("about", .string(route.about)), ("query", ControlJSON.strings(route.query)),
            ])
        }
        return ControlJSON.response(
            .object(["description": .string(ControlRoute.prefix + "openapi.json"), "routes": .array(routes)]))
    }

    private static var page: String {
        let rows = ControlRoute.all.map { route in
            let isLink = route.method == "GET" && route.isAtOnce && !route.path.contains("{")
            let path = isLink ? "<a href=\"\(route.path)\">\(route.path)</a>" : route.path
            let query = route.query.isEmpty ? "" : "?" + route.query.joined(separator: "=&amp;") + "="
            return "<tr><td>\(route.method)<td>\(path) \(query)<td>\(route.about)"
        }
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <title>polymock: /_mock/</title>
            <link rel="icon" href="data:,">
            <style>body { font: 15px/1.6 system-ui, sans-serif; margin: 2rem } td { padding-right: 1rem }</style>
            <h1>/_mock/</h1>
            <p>Each route with its query, its body and its answers: \
            <a href="\(ControlRoute.prefix)openapi.json">openapi.json</a>. A request that does not accept \
            text/html gets this list as JSON.</p>
            <table>
            \(rows.joined(separator: "\n"))
            </table>
            </html>

            """
    }
}

extension ControlAPI {
    func index() -> Response {
        ControlPages.index(acceptsHTML: request.head.headers.list("Accept", contains: "text/html"))
    }

    func openAPI() -> Response { ControlJSON.response(ControlDescription.text) }
}
