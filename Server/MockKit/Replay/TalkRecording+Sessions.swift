import Texts
import Timeline

/// Conversations in a file without names of sessions.
extension TalkRecording {
    /// If no row has a session, gives each row the session of its own WebSocket, or of a WebSocket near it.
    static func nameSessions(in rows: inout [Row]) {
        guard rows.allSatisfy({ $0.session.isEmpty }) else { return }
        var names: [UInt32: String] = [:]
        var openings: [(place: Int, socket: UInt32)] = []
        for place in rows.indices where rows[place].kind == .ws || rows[place].type.hasSuffix("/ws") {
            let socket = rows[place].socket
            if !openings.contains(where: { $0.socket == socket }) { openings.append((place, socket)) }
            guard names[socket] == nil, place < searched else { continue }
            let text = String(decoding: rows[place].raw, as: UTF8.self)
            for mark in ["session_id=", #"\"InitialContactId\":\""#, #"\"ContactId\":\""#] {
                guard names[socket] == nil, let found = text.firstPlace(of: mark) else { continue }
                names[socket] = String(
                    text[found.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "-" })
            }
        }
        func near(_ type: String, _ place: Int) -> UInt32? {
            let isOpening = (messagingPaths + contactPaths.prefix(2)).contains { type.hasSuffix($0) }
            let found =
                isOpening
                ? openings.first { $0.place > place } ?? openings.last
                : openings.last { $0.place <= place } ?? openings.first
            return found?.socket
        }
        let owners = openings.count > 1 ? owners(in: rows, names) : [:]
        for place in rows.indices {
            let socket = rows[place].socket
            let isOwn = openings.contains { $0.socket == socket }
            guard let socket = isOwn ? socket : owners[socket] ?? near(rows[place].type, place) else {
                continue
            }
            rows[place].session = names[socket] ?? "socket-\(socket)"
        }
    }

    /// Returns the WebSocket for which each request was made, by the ids and tokens that the server issued.
    private static func owners(in rows: [Row], _ names: [UInt32: String]) -> [UInt32: UInt32] {
        var issuers: [String: UInt32] = [:]
        var owners: [UInt32: UInt32] = [:]
        func keys(_ row: Row) -> [String] {
            guard let head = HTTPText(row.raw), head.words.count > 1 else { return [] }
            let values = head.words[1].split { "?&=".contains($0) }.map(String.init)
            let tokens = ["x-amz-bearer", "authorization"].compactMap { head.header($0) }
            return values + tokens.map { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : $0 }
        }
        for row in rows where row.kind == .rest && row.direction == .outbound {
            let body = HTTPText(row.raw).map { Array(row.raw[$0.bodyStart...]) } ?? row.raw
            guard let json = try? JSONReader.read(body) else { continue }
            TalkComparison.pairs(json, json) { _, text, _ in
                for part in text.split(whereSeparator: { "?&=".contains($0) }) where part.utf8.count >= 16 {
                    issuers[String(part)] = issuers[String(part)] ?? row.socket
                }
            }
        }
        for (socket, name) in names { if let issuer = issuers[name] { owners[issuer] = socket } }
        let requests = rows.filter { $0.kind == .rest && $0.direction == .inbound }
        for row in requests.reversed() {
            let socket = row.type.hasSuffix("/ws") ? row.socket : owners[row.socket]
            guard let socket else { continue }
            for key in keys(row) {
                if let issuer = issuers[key] { owners[issuer] = owners[issuer] ?? socket }
            }
        }
        for row in requests where owners[row.socket] == nil && !row.type.hasSuffix("/ws") {
            owners[row.socket] = keys(row).lazy.compactMap { issuers[$0].flatMap { owners[$0] } }.first
        }
        return owners
    }

    /// Returns the row numbers of the last access-token request before the session, and of its answer.
    static func introduction(of session: String, in rows: [Row]) -> Set<UInt64> {
        let earlier = rows.prefix { $0.session != session }
        guard
            let request = earlier.last(where: {
                $0.kind == .rest && $0.direction == .inbound && $0.session.isEmpty
                    && $0.type.hasSuffix("/access-token")
            })
        else { return [] }
        let answer = rows.first {
            $0.number > request.number && $0.direction == .outbound
                && ($0.socket, $0.type) == (request.socket, request.type)
        }
        return Set([request.number, answer?.number ?? request.number])
    }
}
