/// The kind of a part.
public enum ContentKind: String, Sendable, Codable, CaseIterable {
    /// Words.
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

/// The place of the bytes of a part.
public enum ContentSource: Sendable, Equatable, Codable {
    /// Here, as Base64.
    case data(String, mimeType: String)
    /// At an address.
    case url(String, mimeType: String?)
    /// At a provider, by its name for them; version 1 of AG-UI.
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
