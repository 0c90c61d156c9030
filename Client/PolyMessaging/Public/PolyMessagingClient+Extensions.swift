import Clocks
import MessagingWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A file that the user sends.
public struct OutgoingFile: Sendable, Equatable {
    /// The name: 1 to 255 bytes, without slashes, control or direction characters (extensions.md#file-words).
    public var name: String
    /// The media type, such as `image/png`.
    public var type: String
    /// The content: 1 byte to 20 MiB (extensions.md#file-words).
    public var data: Data

    /// Creates a file with these properties.
    public init(name: String, type: String, data: Data) {
        self.name = name
        self.type = type
        self.data = data
    }
}

/// Additions to the published SDK, for servers with ``Configuration/extensions``. A server that refuses a change sends
/// a system message.
///
/// ```swift
/// var config = Configuration(apiKey: "your connector token")
/// config.extensions = [.changes, .files]
/// let client = try PolyMessaging.configure(config)
/// for await case .agentMessage(_, let reply) in client.events {
///     try await client.react("👍", to: reply.messageId)
/// }
/// ```
extension PolyMessagingClient {
    /// Replaces the text of a message of the user. Throws `.transport(.notConnected)` while no connection is open.
    public func edit(_ messageId: String, to text: String) async throws {
        try await change(messageId, .text(text))
    }

    /// Withdraws a message of the user. Throws `.transport(.notConnected)` while no connection is open.
    public func unsend(_ messageId: String) async throws {
        try await change(messageId, .deleted)
    }

    /// Adds a reaction to any message, or removes it if `isOn` is false. Throws `.transport(.notConnected)` while no
    /// connection is open.
    public func react(_ reaction: String, to messageId: String, isOn: Bool = true) async throws {
        try await change(messageId, .reaction(reaction, isOn: isOn))
    }

    /// Reports a message as read, or only as received if `isRead` is false. Throws `.transport(.notConnected)` while no
    /// connection is open.
    public func acknowledge(_ messageId: String, isRead: Bool = true) async throws {
        try await transmit(.receipt(isRead ? .userReadMessage : .userReceivedMessage, messageID: messageId))
    }

    /// Uploads files, then sends a message with them. With `replyingTo`, it answers the message with that id.
    /// `progress` is called on any thread with the sent fraction of all bytes, from 0 to 1, each time it grows. Throws
    /// the errors of ``send(_:)``. If an upload fails, throws `.auth(.unauthorized)` or a `.transport` error, and sends
    /// no message. If the task is cancelled, throws `CancellationError` before the next file. After the last upload has
    /// begun, cancelling has no effect.
    public func send(
        _ text: String, replyingTo messageId: String? = nil, files: [OutgoingFile] = [],
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws {
        var metadata: [String: String] = [:]
        if let messageId { metadata["reply_to"] = messageId }
        let total = Double(files.reduce(0) { $0 + $1.data.count })
        let highest = Locked(-1)
        let report: @Sendable (Int) -> Void = { count in
            let isHigher = highest.withLock { highest in
                defer { highest = max(highest, count) }
                return count > highest
            }
            if isHigher { progress?(total > 0 ? Double(count) / total : 1) }
        }
        var (ids, count): ([String], Int) = ([], 0)
        if !files.isEmpty { report(0) }
        for file in files {
            try Task.checkCancellation()
            ids.append(try await driver.upload(file) { [count] in report(count + $0) })
            count += file.data.count
            report(count)
        }
        if !ids.isEmpty { metadata["files"] = ids.joined(separator: ",") }
        try await send(text, metadata: metadata)
    }

    private func change(_ messageID: String, _ kind: WireChange.Kind) async throws {
        try await transmit(.change(WireChange(messageID, kind)))
    }

    private func transmit(_ content: ClientEvent.Content) async throws {
        var frame: [UInt8] = []
        ClientEvent.write(content, into: &frame)
        let text = frame
        try await driver.call { .rawFrame(text, $0) }
    }
}

extension ChatSession {
    /// Sends a message with files, as an answer to the message `replyingTo`, or both. Throws the errors of
    /// ``PolyMessagingClient/send(_:replyingTo:files:progress:)``.
    public func send(
        _ text: String, replyingTo messageId: String?, files: [OutgoingFile] = [],
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws {
        try await run {
            try await $0.send(text, replyingTo: messageId, files: files, progress: progress)
        }
    }
}
