/// Media types of served files. Types that can run scripts are left out (OWASP File Upload Cheat Sheet).
enum FileType {
    /// Allowed media types by extension, for uploads and for pictures in scripts.
    private static let fitting: [String: Set<String>] = [
        "csv": ["text/csv", "text/plain", "application/csv", "application/vnd.ms-excel"],
        "doc": ["application/msword"],
        "docx": ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
        "gif": ["image/gif"], "heic": ["image/heic", "image/heif"], "jfif": ["image/jpeg"],
        "jpeg": ["image/jpeg"], "jpg": ["image/jpeg"], "mov": ["video/quicktime"],
        "mp4": ["video/mp4", "audio/mp4"], "pdf": ["application/pdf"], "png": ["image/png"],
        "ppt": ["application/vnd.ms-powerpoint"],
        "pptx": ["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
        "rtf": ["application/rtf", "text/rtf"], "txt": ["text/plain"],
        "wav": ["audio/wav", "audio/wave", "audio/x-wav", "audio/vnd.wave"], "webp": ["image/webp"],
        "xls": ["application/vnd.ms-excel"],
        "xlsx": ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    ]
    private static let scriptPictures: Set<String> = ["gif", "webp"]

    static let endings = Set(fitting.keys).subtracting(scriptPictures)

    static func ending(of name: String) -> String? {
        name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[$0...].dropFirst().lowercased() }
    }

    /// Returns the announced type if it fits the extension, otherwise `application/octet-stream`.
    static func sent(_ announced: String, of name: String) -> String {
        let (essence, isUTF8) = parse(announced)
        guard let ending = ending(of: name), fitting[ending]?.contains(essence) == true else {
            return "application/octet-stream"
        }
        return isUTF8 && essence.hasPrefix("text/") ? essence + "; charset=utf-8" : essence
    }

    /// Whether browsers may show the file inline.
    static func isShown(_ sent: String) -> Bool {
        let essence = parse(sent).essence
        return ["image/", "audio/", "video/"].contains { essence.hasPrefix($0) }
            || essence == "application/pdf" || essence == "text/plain"
    }

    /// Returns the lower-case type, and whether `charset` is UTF-8 (MIME Sniffing standard §4.4).
    private static func parse(_ text: String) -> (essence: String, isUTF8: Bool) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
            String(part.filter { $0 != " " && $0 != "\t" }).lowercased()
        }
        let isUTF8 = parts.dropFirst().contains { $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" }
        return (parts[0], isUTF8)
    }
}
