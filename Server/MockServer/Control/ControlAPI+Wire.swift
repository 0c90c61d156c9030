import DialectKit
import Texts
import Timeline

extension ControlAPI {
    func wire() throws(ControlProblem) -> Work {
        let filter = try filter()
        let after = try number("after") ?? 0
        let limit = try number("limit", atMost: UInt64(TimelineLimits.rows))
        let last = try number("last", atMost: UInt64(TimelineLimits.rows))
        guard limit == nil || last == nil else {
            throw .bad("?limit= and ?last= both say how many; choose one.")
        }
        let most = Int(limit ?? UInt64(ServerLimits.Control.rows))
        let textBytes = try number("text").map { Int(clamping: $0) }
        let (timeline, now) = (server.timeline, now)
        return Work(isLong: !affords(filter)) { () throws(ControlProblem) in
            let rows: [Row]
            if let last {
                rows = timeline.latest(Int(last), matching: filter, now: now).filter { $0.number > after }
            } else {
                rows = timeline.rows(after: after, limit: most, matching: filter, now: now)
            }
            let hint = rows.isEmpty ? filter?.hint(among: timeline) : nil
            return ControlJSON.response(ControlRows.list(rows, timeline, textBytes: textBytes, hint: hint))
        }
    }

    /// Limits the total cost of the filters of waits and feeds.
    private func checkListeners(with filter: RowFilter?) throws(ControlProblem) {
        let others = server.controls.watching.reduce(0) { sum, id in
            sum + (server.connection(of: id)?.listeningFilter?.stepsPerByte ?? 0)
        }
        guard others + (filter?.stepsPerByte ?? 0) <= ServerLimits.Control.listenerSteps else {
            throw ControlProblem(
                409,
                "The filters of those that wait or follow a feed cost \(others) steps for each byte, and "
                    + "\(ServerLimits.Control.listenerSteps) are the most; end one of them.")
        }
    }

    func wait() throws(ControlProblem) -> RowWait {
        let filter = try self.filter(request.query("filter") ?? "")
        let count = Int(try number("count", atMost: UInt64(ServerLimits.Control.awaitedRows)) ?? 1)
        guard count > 0 else { throw .bad("?count=0 waits for nothing; use 1 or more.") }
        let text = request.query("timeout") ?? "10s"
        let timeout = try ControlBody.length(
            text, "?timeout=\(Logger.clip(text))", atMost: ServerLimits.Control.waiting)
        guard server.controls.watching.count < ServerLimits.Control.waits else {
            throw ControlProblem(
                409, "\(ServerLimits.Control.waits) requests wait already, which is the most.")
        }
        try checkListeners(with: filter)
        let after = try number("after") ?? 0
        return RowWait(
            head: request.head, filter: filter, count: count, timeout: timeout, deadline: now + timeout,
            realDeadline: server.wallNow + timeout, isClockStopped: server.waitsInRealTime, seen: after,
            after: after)
    }

    /// Returns the requested feed.
    func feed() throws(ControlProblem) -> RowFeed {
        let filter = try filter()
        let feeds = server.connections.count { $0?.isFeed == true }
        guard feeds < ServerLimits.Control.feeds else {
            throw ControlProblem(
                409, "\(ServerLimits.Control.feeds) feeds are open, which is the most; close one.")
        }
        try checkListeners(with: filter)
        let last = server.timeline.lastNumber
        let rows = request.query("rows")
        guard rows == nil || rows == "none" else {
            throw .bad("?rows=\(Logger.clip(rows ?? "")) says nothing; leave it out, or use none.")
        }
        let rate = try number("rate")
        guard rate.map({ 1...100_000 ~= $0 }) ?? true else {
            throw .bad("?rate= is the number of rows a second, from 1 to 100000.")
        }
        let topics = try topics()
        return RowFeed(
            filter: filter, seen: min(try number("after") ?? last, last),
            textBytes: try number("text").map { Int(clamping: $0) }, sendsRows: rows == nil,
            changes: topics.isEmpty && rate == nil ? nil : FeedChanges(topics, rate: rate.map { Int($0) }))
    }

    private func topics() throws(ControlProblem) -> Set<FeedTopic> {
        let names = FeedTopic.allCases.map(\.rawValue)
        var topics: Set<FeedTopic> = []
        for word in (request.query("also") ?? "").split(separator: ",").map(String.init) {
            guard let topic = FeedTopic(rawValue: word) else {
                let meant =
                    FormerNames.topics[word].map { "it is called \"\($0)\" now." }
                    ?? Self.suggestion(for: word, among: names).map { "did you mean \($0)?" }
                throw .bad(
                    "?also= cannot name \"\(Logger.clip(word))\"; "
                        + (meant ?? "use \(names.joined(separator: ", "))."))
            }
            topics.insert(topic)
        }
        return topics
    }
}

extension ControlRoute {
    static let wire: [ControlRoute] = [
        .init(
            "wire", "GET", "wire", "Rows of the wire, oldest first",
            query: ["filter", "after", "limit", "last", "text"], refuses: [404], .long(ControlAPI.wire)),
        .init(
            "wait", "GET", "wait", "Wait until rows are there",
            query: ["filter", "count", "after", "timeout"], refuses: [404, 408, 409], .wait(ControlAPI.wait)),
    ]
}

extension ControlRoute {
    static let following: [ControlRoute] = [
        .init(
            "feed", "GET", "feed", "Rows as they come, over a WebSocket",
            query: ["after", "filter", "token", "also", "rate", "text", "rows"], refuses: [404, 409, 426],
            .feed(ControlAPI.feed))
    ]
}
