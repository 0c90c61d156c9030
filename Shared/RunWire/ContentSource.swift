/// The kind of a message part.
public enum ContentKind: String, Sendable, Codable, CaseIterable {
    /// Plain text.
    case text
    /// An image.
    case image
    /// An audio recording.
    case audio
    /// A video.
    case video
    /// A document.
    case document
    /// A retired form of attachment.
    case binary
}

/// The source of a message part's bytes.
public enum ContentSource: Sendable, Equatable, Codable {
    /// The bytes themselves, as Base64.
    case data(String, mimeType: String)
    /// The URL of the bytes.
    case url(String, mimeType: String?)
    /// A provider's identifier of the file. Only in version 1 of AG-UI.
    case file(String, provider: String?, mimeType: String?)

    private enum Key: String, CodingKey {
        case type
        case value
        case mimeType
        case provider
    }

    /// Reads the JSON form: `type`, `value`, `mimeType`, `provider`.
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

    /// Writes the JSON form.
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
