import Clocks
import MockServer
import SocketTransport
import Timeline

/// What a server told one client, as a file keeps it: JSON lines of the timeline, or HAR.
package struct Recording: Sendable, Equatable {
    package struct Message: Sendable, Equatable {
        /// Exactly what crossed the wire.
        package var raw: [UInt8]
        package var type: String
        /// Since the message before it.
        package var gap: Interval
    }

    package var messages: [Message]
    /// Messages whose text the recording does not hold in full.
    package var incompleteCount: Int

    /// The first session of the file that was told something.
    ///
    /// - Throws: ``MockError`` when the file is no recording, or nothing was told in it.
    package init(_ bytes: [UInt8], fileName: String) throws {
        let rows: [Row]
        do throws(ImportError) {
            rows = try TimelineImport.rows(bytes, as: Server.reading)
        } catch {
            throw MockError("\(fileName): \(error)")
        }
        let told = rows.filter { $0.direction == .outbound && $0.kind == .ws }
        let own = told.filter { $0.session == told.first?.session }
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

    /// - Throws: ``MockError`` when the file cannot be read, or is no recording.
    package init(file: String) throws {
        guard let bytes = Files.read(file, atMost: Limits.recordingBytes) else {
            throw MockError("the file \(file) cannot be read; check that it exists and is no folder")
        }
        try self.init(bytes, fileName: file)
    }
}
