import Clocks
import Texts

/// What several servers answered to one call, as if there were one server.
struct MergedAnswer {
    /// The name of each server that answered, and what it said.
    var parts: [(name: String, json: JSONValue)]

    /// One of several servers, as its health tells.
    struct Member {
        var url: String
        /// Nil where it has none.
        var shard: Shard?
        /// Nil where it is no polymock.
        var instance: String?

        init(_ url: String, _ health: JSONValue?) {
            self.url = url
            shard = health?["shard"]?.string.flatMap { Shard($0) }
            instance = health?["instance"]?.string
        }
    }

    /// Why servers cannot be taken as one: two are the same, or the same shard, or they do not share the work with each
    /// other.
    ///
    /// - Returns: one sentence; nil when all is well.
    static func clash(_ servers: [Member]) -> String? {
        for (index, server) in servers.enumerated() {
            for other in servers[..<index] {
                if other.url == server.url {
                    return "--url \(server.url) is given twice; give each server once"
                }
                if let instance = server.instance, instance == other.instance {
                    return
                        "\(other.url) and \(server.url) are one server under two addresses; give each server once"
                }
                guard let mine = server.shard, let its = other.shard else { continue }
                let both = "\(other.url) is shard \(its), and \(server.url) is shard \(mine)"
                if mine == its { return "\(both); start one of them with another number behind --shard" }
                if mine.count != its.count {
                    return "\(both); start all of them with the same count behind --shard"
                }
            }
        }
        return nil
    }

    /// One answer of all: lists of objects one behind the other, each object with its `shard`; lists of names without
    /// repetitions; counts added up; what else there is from the first.
    var merged: JSONValue {
        guard let first = parts.first?.json.object else { return parts.first?.json ?? .null }
        return .object(
            JSONObject(
                first.members.map { member in
                    JSONObject.Member(
                        member.name, Self.merged(member, parts.map { ($0.name, $0.json[member.name]) }))
                }))
    }

    private static func merged(_ member: JSONObject.Member, _ values: [(String, JSONValue?)]) -> JSONValue {
        switch member.value {
        case .integer: return .integer(values.reduce(0) { $0 + ($1.1?.integer ?? 0) })
        case .array where member.name == "laws": return .array(laws(values.compactMap { $0.1?.array }))
        case .array:
            var elements: [JSONValue] = []
            for (name, value) in values {
                for element in value?.array ?? [] {
                    if let object = element.object {
                        let shard = JSONObject.Member("shard", .string(name))
                        elements.append(.object(JSONObject([shard] + object.members)))
                    } else if !elements.contains(element) {
                        elements.append(element)
                    }
                }
            }
            return .array(member.name == "rows" ? inTime(elements) : elements)
        default: return member.value
        }
    }

    /// Each law once, with all breaches.
    private static func laws(_ lists: [[JSONValue]]) -> [JSONValue] {
        (lists.first ?? []).map { law in
            let count = lists.joined().reduce(Int64(0)) {
                $0 + ($1["id"] == law["id"] ? $1["breaches"]?.integer ?? 0 : 0)
            }
            return .object(
                JSONObject(
                    (law.object?.members ?? []).map {
                        $0.name == "breaches" ? JSONObject.Member("breaches", .integer(count)) : $0
                    }))
        }
    }

    /// By the time on the wall; what one server says keeps its order.
    private static func inTime(_ rows: [JSONValue]) -> [JSONValue] {
        let keys = rows.enumerated().map { (time: $1["t"]?.string ?? "", place: $0) }
        return keys.sorted { ($0.time, $0.place) < ($1.time, $1.place) }.map { rows[$0.place] }
    }

    /// The rows of `json` that were asked for: the first ones, or the last.
    static func rows(of json: JSONValue, first: Int?, last: Int?) -> JSONValue {
        guard let object = json.object, first != nil || last != nil else { return json }
        return .object(
            JSONObject(
                object.members.map { member in
                    guard member.name == "rows", let rows = member.value.array else { return member }
                    let cut = last.map { rows.suffix($0) } ?? rows.prefix(first ?? rows.count)
                    return JSONObject.Member("rows", .array(Array(cut)))
                }))
    }

    /// The metrics of all in one text: added up, but for the time since the start, which is that of the youngest
    /// server, and for what says which shard it is.
    static func metrics(_ texts: [String]) -> String {
        var sums: [Substring: Int64] = [:]
        for line in texts.joined(separator: "\n").split(whereSeparator: \.isNewline)
        where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            guard words.count == 2, let value = Int64(words[1]) else { continue }
            let former = sums[words[0]]
            sums[words[0]] =
                switch words[0] {
                case "polymock_uptime_seconds": min(former ?? value, value)
                case "polymock_shards": value
                default: (former ?? 0) + value
                }
        }
        let lines = (texts.first ?? "").split(whereSeparator: \.isNewline).filter { line in
            !line.split(separator: " ").contains("polymock_shard")
        }
        return lines.map { line in
            let name = line.prefix { $0 != " " }
            return line.hasPrefix("#") ? String(line) : "\(name) \(sums[name] ?? 0)"
        }.joined(separator: "\n")
    }
}
