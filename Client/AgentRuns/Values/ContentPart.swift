import RunWire
import Texts

/// One part of a message that has several.
public struct ContentPart: Sendable, Equatable, Codable {
    /// What a part is.
    public enum Kind: String, Sendable, Codable {
        /// Words; see ``ContentPart/text``.
        case text
        /// A picture.
        case image
        /// Something to listen to.
        case audio
        /// Something to watch.
        case video
        /// A file to read.
        case document
        /// An attachment in the retired form of AG-UI.
        case binary
    }

    /// Where the bytes of a part are.
    public enum Source: Sendable, Equatable, Codable {
        /// Here, as Base64.
        case data(String, mimeType: String)
        /// At an address.
        case url(String, mimeType: String?)
        /// At a provider, by its name for them.
        case file(String, provider: String?, mimeType: String?)

        private enum Key: String, CodingKey {
            case type
            case value
            case mimeType
            case provider
        }

        /// Reads the form of the wire: `type`, `value`, `mimeType`, `provider`.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let value = try container.decode(String.self, forKey: .value)
            let mimeType = try container.decodeIfPresent(String.self, forKey: .mimeType)
            switch try container.decode(String.self, forKey: .type) {
            case "data": self = .data(value, mimeType: mimeType ?? "application/octet-stream")
            case "file":
                self = .file(
                    value, provider: try container.decodeIfPresent(String.self, forKey: .provider),
                    mimeType: mimeType)
            default: self = .url(value, mimeType: mimeType)
            }
        }

        /// Writes the form of the wire.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            switch self {
            case .data(let value, let mimeType):
                try container.encode("data", forKey: .type)
                try container.encode(value, forKey: .value)
                try container.encode(mimeType, forKey: .mimeType)
            case .url(let value, let mimeType):
                try container.encode("url", forKey: .type)
                try container.encode(value, forKey: .value)
                try container.encodeIfPresent(mimeType, forKey: .mimeType)
            case .file(let value, let provider, let mimeType):
                try container.encode("file", forKey: .type)
                try container.encode(value, forKey: .value)
                try container.encodeIfPresent(provider, forKey: .provider)
                try container.encodeIfPresent(mimeType, forKey: .mimeType)
            }
        }
    }

    private enum CodingKeys: String, CodingKey {
        case kind = "type"
        case text
        case source
        case metadata
    }

    /// What the part is.
    public let kind: Kind
    /// The words of a part of kind `text`.
    public let text: String?
    /// Where the bytes of any other part are.
    public let source: Source?
    /// What else the sender says of the part.
    public let metadata: JSONValue?

    /// - Parameters:
    ///   - kind: what the part is.
    ///   - text: its words, for kind `text`.
    ///   - source: where its bytes are, for any other kind.
    ///   - metadata: an object, or nil.
    public init(kind: Kind, text: String? = nil, source: Source? = nil, metadata: JSONValue? = nil) {
        self.kind = kind
        self.text = text
        self.source = source
        self.metadata = metadata
    }

    init(_ part: RunPart) {
        let kind = Kind(rawValue: part.kind.rawValue) ?? .binary
        var source: Source? =
            switch part.source {
            case .data(let value, let mimeType)?: .data(value, mimeType: mimeType)
            case .url(let value, let mimeType)?: .url(value, mimeType: mimeType)
            case .file(let value, let provider, let mimeType)?:
                .file(value, provider: provider, mimeType: mimeType)
            case nil: nil
            }
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
            kind: kind, text: part.text, source: source,
            metadata: part.metadata.map { JSONValue(.object($0)) })
    }

    var wire: RunPart {
        var part = RunPart(kind: RunPart.Kind(rawValue: kind.rawValue) ?? .text)
        part.metadata = metadata?.wire.object
        switch (kind, source) {
        case (.text, _): part.text = text ?? ""
        case (.binary, .data(let value, let mimeType)?):
            part.binary = RunPart.Binary(mimeType: mimeType, data: value)
        case (.binary, .url(let value, let mimeType)?):
            part.binary = RunPart.Binary(mimeType: mimeType ?? "application/octet-stream", url: value)
        case (.binary, .file(let value, _, let mimeType)?):
            part.binary = RunPart.Binary(mimeType: mimeType ?? "application/octet-stream", id: value)
        case (_, .data(let value, let mimeType)?): part.source = .data(value, mimeType: mimeType)
        case (_, .url(let value, let mimeType)?): part.source = .url(value, mimeType: mimeType)
        case (_, .file(let value, let provider, let mimeType)?):
            part.source = .file(value, provider: provider, mimeType: mimeType)
        case (_, nil): part.source = .url("", mimeType: nil)
        }
        return part
    }
}

/// Words, or parts of several kinds.
public enum ToolContent: Sendable, Equatable {
    /// Words alone.
    case text(String)
    /// Parts; version 1 of AG-UI.
    case parts([ContentPart])

    /// The words: of parts those of kind text, joined by line feeds.
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
