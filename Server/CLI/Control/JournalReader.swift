import ControlClient
import Texts

struct JournalReader {
    /// `stream` signals when to read the journal. `outcome` is the error that ended the feed, or nil.
    typealias News = (stream: AsyncStream<Void>, outcome: Task<ControlError?, Never>)

    let client: ControlClient
    let session: String
    let facts: JSONValue
    private(set) var last: UInt64
    private let lastRow: UInt64?

    /// `name` is an id, a prefix of an id, or "last".
    init(_ client: ControlClient, _ name: String, after: UInt64) async throws(ControlError) {
        self.client = client
        facts = try await client.call("GET", "sessions", name).json ?? .null
        session = facts["id"]?.string ?? name
        last = after
        // The feed begins after the last row, so that no event is missed.
        let wire = try await client.call("GET", "wire", query: [.init("limit", "1")])
        lastRow = wire.json?["last"]?.integer.flatMap { UInt64(exactly: $0) }
    }

    /// Returns the entries since the last call.
    mutating func next() async throws(ControlError) -> [JSONValue] {
        let answer = try await client.call(ControlVerb.journalRequest(session, after: last))
        let entries = answer.json?["entries"]?.array ?? []
        let numbers = entries.compactMap { $0["sequence"]?.integer.flatMap { UInt64(exactly: $0) } }
        last = max(last, numbers.max() ?? 0)
        return entries
    }

    /// Follows the feed until it ends or nobody reads the stream. Calls `onRow` for each row of the session.
    func news(onRow: @escaping @Sendable (JSONValue) -> Void = { _ in }) -> News {
        let (stream, sink) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        sink.yield()
        let feed = client.feed(after: lastRow, filter: "session:\(session)")
        let outcome = Task { () -> ControlError? in
            defer { sink.finish() }
            for await item in feed {
                switch item {
                case .failed(let error): return error
                case .message(let message):
                    if let row = message["row"] { onRow(row) }
                    sink.yield()
                }
            }
            return nil
        }
        sink.onTermination = { _ in outcome.cancel() }
        return (stream, outcome)
    }
}
