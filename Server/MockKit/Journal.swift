import Clocks
import MockServer
import Texts
import Timeline

extension Mock {
    /// The timeline of the server so far, one JSON object a line, secrets masked: what is attached to a failing test
    /// and what the inspector reads.
    ///
    /// - Returns: UTF-8.
    public func journal() async -> [UInt8] {
        let rows = await server.inspect { $0.rows() }
        let info = ExportInfo(
            exportedAt: base.now, version: MockServer.version, details: ["line": .string(line)])
        return TimelineExport.jsonLines(rows, info: info)
    }
}
