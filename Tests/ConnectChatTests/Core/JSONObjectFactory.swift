import Texts

/// Members of items that several tests write.
enum JSONObjectFactory {
    static func attachment(_ id: String, _ name: String, _ status: String) -> (String, JSONValue) {
        let file: JSONObject = [
            "AttachmentId": .string(id), "AttachmentName": .string(name),
            "ContentType": .string("text/plain"),
            "Status": .string(status),
        ]
        return ("Attachments", .array([.object(file)]))
    }
}
