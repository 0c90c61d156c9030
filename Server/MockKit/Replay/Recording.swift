import Clocks
import MockServer
import SocketTransport
import Timeline

/// The messages that a server sent to one client, read from a file: JSON lines of the timeline, or HAR.
package struct Recording: Sendable, Equatable {
    package struct Message: Sendable, Equatable {
        package var raw: [UInt8]
        package var type: String
        package var gap: Interval
    }

    package var messages: [Message]
    /// Number of messages left out, because the recording contains only some of their bytes.
    package var incompleteCount: Int

    /// Reads the file's first session with a message of the server; throws if there is none.
    package init(_ bytes: [UInt8], fileName: String) throws {
        let rows: [Row]
        do throws(ImportError) {
            rows = try TimelineImport.rows(bytes, as: Server.reading)
        } catch {
            throw MockError("\(fileName): \(error)")
        }
        let sent = rows.filter { $0.direction == .outbound && $0.kind == .ws }
        let own = sent.filter { $0.session == sent.first?.session }
        messages = []
        incompleteCount = own.count { $0.raw.count != $0.size }
        var before: Instant?
        for row in own where row.raw.count == row.size {
            let gap = before.map { row.time - $0 } ?? .zero
            messages.append(Message(raw: row.raw, type: row.type, gap: max(gap, .zero)))
            before = row.time
        }
        guard !messages.isEmpty else {
            throw MockError("\(fileName): no server told anything over a WebSocket in this recording")
        }
    }

    package init(file: String) throws {
        guard let bytes = Files.read(file, atMost: KitLimits.recordingBytes) else {
            throw MockError("the file \(file) cannot be read; check that it exists and is no folder")
        }
        try self.init(bytes, fileName: file)
    }
}
