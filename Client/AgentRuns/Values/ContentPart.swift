public import RunWire
import Texts

/// One part of a message with several parts.
public struct ContentPart: Sendable, Equatable, Codable {
    /// The kind of a part.
    public typealias Kind = ContentKind
    /// The source of a part's bytes.
    public typealias Source = ContentSource

    private enum CodingKeys: String, CodingKey {
        case kind = "type"
        case text
        case source
        case metadata
    }

    /// The kind of the part.
    public let kind: Kind
    /// The text of a part of kind `text`.
    public let text: String?
    /// The source of the part's data; nil for a part of kind `text`.
    public let source: Source?
    /// Metadata of the part.
    public let metadata: JSONValue?

    /// Makes a part. The kind `text` needs `text`; any other kind needs `source`.
    public init(kind: Kind, text: String? = nil, source: Source? = nil, metadata: JSONValue? = nil) {
        self.kind = kind
        self.text = text
        self.source = source
        self.metadata = metadata
    }

    package init(_ part: RunPart) {
        var source = part.source
        if let binary = part.binary {
            source =
                if let data = binary.data {
                    .data(data, mimeType: binary.mimeType)
                } else if let url = binary.url {
                    .url(url, mimeType: binary.mimeType)
                } else {
                    .file(binary.id ?? "", provider: nil, mimeType: binary.mimeType)
                }
        }
        self.init(
            kind: part.kind, text: part.text, source: source,
            metadata: part.metadata.map { JSONValue(.object($0)) })
    }

    var wire: RunPart {
        var part = RunPart(kind: kind)
        part.metadata = metadata?.wire.object
        switch (kind, source) {
        case (.text, _): part.text = text ?? ""
        case (.binary, .data(let value, let mimeType)?):
            part.binary = RunPart.Binary(mimeType: mimeType, data: value)
        case (.binary, .url(let value, let mimeType)?):
            part.binary = RunPart.Binary(mimeType: mimeType ?? "application/octet-stream", url: value)
        case (.binary, .file(let value, _, let mimeType)?):
            part.binary = RunPart.Binary(mimeType: mimeType ?? "application/octet-stream", id: value)
        default: part.source = source ?? .url("", mimeType: nil)
        }
        return part
    }
}

/// Result of a tool: text, or parts of several kinds.
public enum ToolContent: Sendable, Equatable {
    case text(String)
    /// Only in version 1 of AG-UI.
    case parts([ContentPart])

    /// The text of the result. Texts of parts are joined by line feeds.
    public var text: String {
        switch self {
        case .text(let text): text
        case .parts(let parts): parts.compactMap(\.text).joined(separator: "\n")
        }
    }

    init(_ content: RunContent?) {
        switch content {
        case .text(let text)?: self = .text(text)
        case .parts(let parts)?: self = .parts(parts.map { ContentPart($0) })
        case nil: self = .text("")
        }
    }

    var wire: RunContent {
        switch self {
        case .text(let text): .text(text)
        case .parts(let parts): .parts(parts.map(\.wire))
        }
    }
}
