import Pages
import Texts

enum Documentation {
    /// A page. Its name is its path in the repository.
    struct Page {
        var name: String
        var text: String
    }

    static var pages: [Page] {
        let bytes = UnsafeBufferPointer(start: polymock_documents(), count: polymock_documents_length)
        let texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
        return (0..<polymock_document_count).map { number in
            Page(
                name: String(cString: polymock_document_name(number)),
                text: String(decoding: texts[number], as: UTF8.self))
        }
    }

    /// All pages as JSON: `{"README.md": "# polymock …", …}`.
    static var json: [UInt8] {
        JSONWriter.bytes(.object(JSONObject(pages.map { JSONObject.Member($0.name, .string($0.text)) })))
    }
}
