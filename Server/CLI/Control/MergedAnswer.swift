import Clocks
import Texts

/// The answers of several servers to one call, merged into one.
struct MergedAnswer {
    var parts: [(name: String, json: JSONValue)]

    /// One of several servers, with the facts of its health response.
    struct Member {
        var url: String
        var shard: Shard?
        /// Identifier of the server process. Nil for a server other than polymock.
        var instance: String?

        init(_ url: String, _ health: JSONValue?) {
            self.url = url
            shard = health?["shard"]?.string.flatMap { Shard($0) }
            instance = health?["instance"]?.string
        }
    }

    /// Returns why the answers cannot be merged, or nil.
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
                if mine == its { return "\(both); start one of them with another number after --shard" }
                if mine.count != its.count {
                    return "\(both); start all of them with the same count after --shard"
                }
            }
        }
        return nil
    }

    /// The answers, merged member by member.
    var merged: JSONValue {
        guard let first = parts.first else { return .null }
        return Self.map(first.json) { member in
            Self.merged(member, parts.map { ($0.name, $0.json[member.name]) })
        }
    }

    private static func merged(_ member: JSONObject.Member, _ values: [(String, JSONValue?)]) -> JSONValue {
        switch member.value {
        case .integer: return .integer(values.reduce(0) { $0 + ($1.1?.integer ?? 0) })
        case .array where member.name == "protocolRules":
            return .array(protocolRules(values.compactMap { $0.1?.array }))
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

    private static func protocolRules(_ lists: [[JSONValue]]) -> [JSONValue] {
        (lists.first ?? []).map { protocolRule in
            let count = lists.joined().reduce(Int64(0)) {
                $0 + ($1["id"] == protocolRule["id"] ? $1["violations"]?.integer ?? 0 : 0)
            }
            return map(protocolRule) { $0.name == "violations" ? .integer(count) : $0.value }
        }
    }

    /// Replaces each member's value by the result of `change`.
    private static func map(_ json: JSONValue, _ change: (JSONObject.Member) -> JSONValue) -> JSONValue {
        guard let members = json.object?.members else { return json }
        return .object(JSONObject(members.map { JSONObject.Member($0.name, change($0)) }))
    }

    /// Sorts rows by time. Rows of one server keep their order.
    private static func inTime(_ rows: [JSONValue]) -> [JSONValue] {
        let keys = rows.enumerated().map { (time: $1["t"]?.string ?? "", place: $0) }
        return keys.sorted { ($0.time, $0.place) < ($1.time, $1.place) }.map { rows[$0.place] }
    }

    static func rows(of json: JSONValue, first: Int?, last: Int?) -> JSONValue {
        map(json) { member in
            guard member.name == "rows", let rows = member.value.array else { return member.value }
            return .array(Array(last.map { rows.suffix($0) } ?? rows.prefix(first ?? rows.count)))
        }
    }

    /// Merges the Prometheus metrics of all servers. Adds their values, except for the uptime, of which it keeps the
    /// shortest, and the number of shards.
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
