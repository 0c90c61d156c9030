import HTTPClient
import HTTPCore
package import Texts

package struct ControlAnswer: Equatable, Sendable {
    package var status: Int
    package var body: [UInt8]
    /// Hint about a filter that matched nothing, if the body's format has no place for it (`X-Mock-Hint`).
    package var hint: String?

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }

    init(_ answer: HTTPClient.Answer) {
        self.init(status: answer.status, body: answer.body)
        hint = answer.headers["X-Mock-Hint"]
    }

    package var text: String { String(decoding: body, as: UTF8.self) }

    package var json: JSONValue? {
        do throws(JSONError) {
            return try JSONReader.read(body, maxDepth: ControlLimits.answerDepth, maxBytes: .max)
        } catch {
            return nil
        }
    }

    /// Error text of the server. Without such a text, the status and the beginning of the body.
    private var refusal: String {
        if let message = json?["error"]?["message"]?.string { return message }
        if let message = json?["message"]?.string { return message }
        let start = text.prefix { !$0.isNewline }.prefix(200)
        let words = start.isEmpty ? "without a word" : "with: \(start)"
        return "the server refused with status \(status) \(words)"
    }

    /// Returns the answer if its status is a success.
    ///
    /// - Throws: ``ControlError/refused(status:message:body:)`` for other statuses.
    func accepted() throws(ControlError) -> ControlAnswer {
        guard (200..<300).contains(status) else {
            throw .refused(status: status, message: refusal, body: body)
        }
        return self
    }
}
