import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import Texts
import Timeline

/// One number about the server.
package struct ControlMetric: Equatable, Sendable {
    package enum Kind: String, Sendable {
        /// Only grows.
        case counter
        case gauge
    }

    package var name: String
    package var kind: Kind
    package var help: String
    /// Which of several that have one name.
    package var variant: String?
    package var value: UInt64

    /// Counters carry their ending, as the text format wants it.
    init(_ name: String, _ kind: Kind, _ value: some BinaryInteger, _ help: String, variant: String? = nil) {
        self.variant = variant
        self.name = "polymock_" + name + (kind == .counter ? "_total" : "")
        self.kind = kind
        self.help = help
        self.value = UInt64(clamping: value)
    }
}

extension Server {
    fileprivate var metrics: [ControlMetric] {
        let (counts, timeline, traffic) = (events.counts, timeline, sockets)
        return [
            ControlMetric("sessions_opened", .counter, counts.sessionsOpened, "Sessions opened."),
            ControlMetric("sessions_open", .gauge, engine.openCount, "Sessions under way."),
            ControlMetric(
                "sessions_held", .gauge, engine.sessionCount, "Sessions held, ended ones included."),
            ControlMetric(
                "messages_heard", .counter, counts.messagesHeard, "WebSocket messages that clients sent."),
            ControlMetric(
                "events_told", .counter, counts.eventsTold, "Events told, each connection counted."),
            ControlMetric(
                "chunks_told", .counter, counts.chunksTold, "Chunks of streamed replies among them."),
            ControlMetric("connections_accepted", .counter, counts.connectionsAccepted, "Sockets accepted."),
            ControlMetric("connections_open", .gauge, traffic.open, "Sockets open, of any use."),
            ControlMetric("websockets_open", .gauge, openWebSockets, "WebSockets open."),
            ControlMetric(
                "control_requests", .counter, counts.requestsAnswered, "Requests to the control API."),
            ControlMetric("handshakes_refused", .counter, counts.handshakesRefused, "WebSockets refused."),
            ControlMetric(
                "unmatched", .counter, events.unmatched.count,
                "Messages and requests that nothing was prepared for."),
            ControlMetric(
                "law_breaches", .counter, counts.breaches, "Laws of the protocol that clients broke."),
            ControlMetric("trouble_strikes", .counter, counts.troubleStrikes, "Times that a trouble struck."),
            ControlMetric("troubles_armed", .gauge, faults.armed.count, "Troubles armed from outside."),
            ControlMetric("received_bytes", .counter, traffic.received, "Bytes read from sockets."),
            ControlMetric("sent_bytes", .counter, traffic.sent, "Bytes written to sockets."),
            ControlMetric("rows", .counter, timeline.lastNumber, "Rows recorded."),
            ControlMetric(
                "rows_dropped", .counter, timeline.droppedCount + events.recorder.forgottenCount,
                "Rows that left the timeline because it was full."),
            ControlMetric(
                "journal_entries", .gauge, engine.journaledCount,
                "Journal entries of the sessions held."),
            ControlMetric(
                "journal_bytes", .gauge, journalBytes,
                "What sessions hold: entries as they are told, requests for runs, contacts."),
            ControlMetric(
                "uptime_seconds", .gauge, uptimeSeconds,
                "Seconds since the start, by the server's clock."),
        ] + heldMetrics + shardMetrics
    }

    private var heldMetrics: [ControlMetric] {
        heldBytes.map { kind, bytes in
            ControlMetric(
                "held_bytes", .gauge, bytes, "Bytes held for clients, by what holds them.",
                variant: kind.name)
        }
    }

    /// None where there are no shards.
    private var shardMetrics: [ControlMetric] {
        guard let shard = configuration.shard else { return [] }
        return [
            ControlMetric("shard", .gauge, shard.number, "Which shard this is, from 1 on."),
            ControlMetric("shards", .gauge, shard.count, "How many shards there are."),
        ]
    }
}

extension ControlAPI {
    /// The text format of Prometheus, version 0.0.4.
    func metrics() -> Response {
        var text = ""
        var last = ""
        for metric in server.metrics {
            if metric.name != last {
                text += "# HELP \(metric.name) \(metric.help)\n"
                text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
            }
            last = metric.name
            let variant = metric.variant.map { "{kind=\"\($0)\"}" } ?? ""
            text += "\(metric.name)\(variant) \(metric.value)\n"
        }
        return ControlJSON.response(Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
    }

    func metricsJSON() -> Response {
        let list = server.metrics.map { metric in
            ControlJSON.object(
                [("name", .string(metric.name)), ("type", .string(metric.kind.rawValue))]
                    + (metric.variant.map { [("kind", .string($0))] } ?? [])
                    + [("help", .string(metric.help)), ("value", ControlJSON.count(metric.value))])
        }
        return ControlJSON.response(.object(["metrics": .array(list)]))
    }
}

extension ControlRoute {
    static let metrics: [ControlRoute] = [
        .init("metrics", "GET", "metrics", "Counters and gauges for Prometheus", .once(ControlAPI.metrics)),
        .init(
            "metricsJSON", "GET", "metrics.json", "The same numbers as JSON", .once(ControlAPI.metricsJSON)),
    ]
}
