import ControlClient
import Texts

/// A reader of one session's journal, woken by the feed of rows.
struct JournalReader {
    /// Wake-ups: one at once, and one after any number of rows. `outcome` is the reason of the feed's end.
    typealias News = (stream: AsyncStream<Void>, outcome: Task<ControlError?, Never>)

    let client: ControlClient
    let session: String
    /// The session's description at the start.
    let facts: JSONValue
    private(set) var last: UInt64
    private let lastRow: UInt64?

    /// `name` may be the beginning of an id, or "last".
    init(_ client: ControlClient, _ name: String, after: UInt64) async throws(ControlError) {
        self.client = client
        facts = try await client.call("GET", "sessions", name).json ?? .null
        session = facts["id"]?.string ?? name
        last = after
        // The feed begins where the wire ends now: no event is missed between the journal and the first row.
        let wire = try await client.call("GET", "wire", query: [.init("limit", "1")])
        lastRow = wire.json?["last"]?.integer.flatMap { UInt64(exactly: $0) }
    }

    /// The entries since the last call.
    mutating func next() async throws(ControlError) -> [JSONValue] {
        let answer = try await client.call(ControlVerb.journalRequest(session, after: last))
        let entries = answer.json?["entries"]?.array ?? []
        let numbers = entries.compactMap { $0["sequence"]?.integer.flatMap { UInt64(exactly: $0) } }
        last = max(last, numbers.max() ?? 0)
        return entries
    }

    /// Follows the feed until it ends or nobody reads the stream; `onRow` gets each row of the session.
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
