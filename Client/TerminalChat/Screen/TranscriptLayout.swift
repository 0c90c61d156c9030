import ChatPresentation
import PolyMessaging
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct TranscriptLayout: Sendable {
    /// Text of the program itself, shown below the message `after`; nil means above all messages.
    struct Aside: Equatable, Sendable {
        var after: UUID?
        var text: String
    }

    /// Cache key: all values on which a message's rows depend, except the width.
    private struct Look: Equatable {
        var message: ChatMessage
        var mark: String
        var number: Int
        var hasSuggestions: Bool
    }

    var columns = TerminalLimits.usualWidth
    var isASCII = false
    /// Seconds by which local time is ahead of UTC.
    var timeOffset: Int64 = 0
    private var cache: [UUID: (look: Look, columns: Int, rows: [Row])] = [:]

    /// Returns all rows. `isLate` decides whether an unconfirmed message is marked as pending.
    mutating func rows(
        _ messages: [ChatMessage], asides: [Aside], hasEnded: Bool, isLate: (UserMessage) -> Bool,
        receipt: (UserMessage) -> RowMessage.Delivery?
    ) -> [Row] {
        var rows: [Row] = []
        var kept: [UUID: (look: Look, columns: Int, rows: [Row])] = [:]
        var failures = 0
        var cards = 0
        for aside in asides where aside.after == nil { rows += self.rows(aside) }
        for message in messages {
            var mark = ""
            if case .user(let said) = message {
                if said.delivery == .failed { failures += 1 }
                mark = self.mark(said, isLate: isLate(said), receipt(said), failure: failures)
            }
            let look = Look(
                message: message, mark: mark, number: cards,
                hasSuggestions: !hasEnded && message.id == messages.last?.id)
            cards += message.attachments.count { $0.contentType != .unknown }
            if let known = cache[message.id], known.look == look, known.columns == columns {
                kept[message.id] = known
            } else {
                kept[message.id] = (look, columns, self.rows(look))
            }
            rows += kept[message.id]?.rows ?? []
            for aside in asides where aside.after == message.id { rows += self.rows(aside) }
        }
        cache = kept
        return rows
    }

    private func mark(
        _ message: UserMessage, isLate: Bool, _ receipt: RowMessage.Delivery?, failure: Int
    ) -> String {
        switch message.delivery {
        case .pending: isLate ? (isASCII ? "..." : "…") : ""
        case .sent:
            switch receipt {
            case .read: isASCII ? "read" : "✓✓ read"
            case .delivered: isASCII ? "delivered" : "✓✓"
            default: isASCII ? "ok" : "✓"
            }
        case .failed: "! not delivered: /retry \(failure)"
        }
    }

    private func rows(_ look: Look) -> [Row] {
        switch look.message {
        case .user(let message):
            let style: Style = message.delivery == .failed ? .alert : .dim
            let body =
                [Cell].styled(ForeignText.talkLines(message.text))
                + (look.mark.isEmpty ? [] : .styled(" " + look.mark, style))
            return block("you", .bold, body, message.timestamp)
        case .agent(let message):
            let name =
                ForeignText.talkLine(message.agentName ?? "agent")
                + (message.agentKind == .live ? " (live)" : "")
            var rows = block(
                name, [.bold, .accent], Markdown.cells(message.text), message.timestamp)
            var extras = AttachmentText.lines(
                message.attachments, message.callActions, countingFrom: look.number)
            if look.hasSuggestions {
                extras += message.suggestions.enumerated().map {
                    "\($0 + 1). " + AttachmentText.title(ofSuggestion: $1.messageText)
                }
            }
            for extra in extras { rows += indented(.styled(extra, .accent)) }
            return rows
        case .system(let message):
            let notice = Notice(message.event)
            return indented(.styled("* " + ForeignText.talkLine(notice.text), .dim))
        }
    }

    private func rows(_ aside: Aside) -> [Row] {
        indented(.styled(ForeignText.talkLines(aside.text), .dim))
    }

    private func indented(_ cells: [Cell]) -> [Row] {
        cells.wrapped(to: columns - 2).map { .styled("  ") + $0 }
    }

    private func block(_ name: String, _ style: Style, _ text: [Cell], _ time: Date) -> [Row] {
        let label = [Cell].styled(name, style).cut(to: max(4, columns / 3)) + .styled(" ")
        let showsTime = columns >= 80
        let width = columns - label.width - (showsTime ? 7 : 0)
        let lines = text.wrapped(to: width)
        let blank = [Cell].styled(String(repeating: " ", count: label.width))
        return lines.enumerated().map { place, line in
            let row = (place == 0 ? label : blank) + line
            guard showsTime, place == 0 else { return row }
            let gap = String(repeating: " ", count: max(1, columns - 5 - row.width))
            let clock = TimeText.clock(Int64(time.timeIntervalSince1970), offset: timeOffset)
            return row + .styled(gap) + .styled(clock, .dim)
        }
    }
}
