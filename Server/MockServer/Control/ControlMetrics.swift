import Clocks
import ConversationEngine
import HTTPCore
import ServerCore
import Texts
import Timeline

package struct ControlMetric: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case counter
        case gauge
    }

    package var name: String
    package var kind: Kind
    package var help: String
    /// The label that distinguishes metrics of one name.
    package var variant: String?
    package var value: UInt64

    /// A counter's name gets the ending `_total`, a convention of Prometheus.
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
        func counter(_ name: String, _ value: some BinaryInteger, _ help: String) -> ControlMetric {
            ControlMetric(name, .counter, value, help)
        }
        func gauge(_ name: String, _ value: some BinaryInteger, _ help: String) -> ControlMetric {
            ControlMetric(name, .gauge, value, help)
        }
        var all = [
            counter("sessions_opened", counts.sessionsOpened, "Sessions opened."),
            gauge("sessions_open", engine.openCount, "Sessions under way."),
            gauge("sessions_retained", engine.sessionCount, "Sessions kept in memory, ended ones included."),
            counter("messages_received", counts.messagesHeard, "WebSocket messages that clients sent."),
            counter("events_sent", counts.eventsSent, "Events sent, each connection counted."),
            counter("chunks_sent", counts.chunksSent, "Chunks of streamed replies among them."),
            counter("connections_accepted", counts.connectionsAccepted, "Sockets accepted."),
            gauge("connections_open", traffic.open, "Sockets open, of any use."),
            gauge("websockets_open", openWebSockets, "WebSockets open."),
            counter("control_requests", counts.requestsAnswered, "Requests to the control API."),
            counter("handshakes_refused", counts.handshakesRefused, "WebSockets refused."),
            counter(
                "unmatched", events.unmatched.count, "Messages and requests that nothing was prepared for."),
            counter("violations", counts.violations, "Protocol rules that clients broke."),
            counter("faults_fired", counts.faultsFired, "Times that a fault fired."),
            gauge("faults_active", faults.active.count, "Faults added from outside."),
            counter("received_bytes", traffic.received, "Bytes read from sockets."),
            counter("sent_bytes", traffic.sent, "Bytes written to sockets."),
            counter("rows", timeline.lastNumber, "Rows recorded."),
            counter(
                "rows_dropped", timeline.droppedCount + events.recorder.forgottenCount,
                "Rows that left the timeline because it was full."),
            gauge("journal_entries", engine.journaledCount, "Journal entries of the sessions kept."),
            gauge(
                "journal_bytes", journalBytes,
                "What sessions hold: entries as they are sent, requests for runs, contacts."),
            counter("timer_turns", timers.lateness.turns, "Turns in which timers of sessions were due."),
            counter(
                "timer_turns_late_microseconds", timers.lateness.microseconds,
                "How late these turns began, added up."),
            gauge(
                "timer_turns_latest_microseconds", timers.lateness.mostMicroseconds,
                "How late the latest of these turns began."),
            gauge("uptime_seconds", uptimeSeconds, "Seconds since the start, in real time."),
        ]
        all += heldBytes.map { kind, bytes in
            ControlMetric(
                "held_bytes", .gauge, bytes, "Bytes held for clients, by what holds them.", variant: kind.name
            )
        }
        if let shard = configuration.shard {
            all.append(gauge("shard", shard.number, "Which shard this is, from 1 on."))
            all.append(gauge("shards", shard.count, "How many shards there are."))
        }
        return all
    }
}

extension ControlAPI {
    /// Writes the text format of Prometheus, version 0.0.4.
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
