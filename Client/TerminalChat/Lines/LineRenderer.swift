import Texts

/// Renderer of the text style.
struct LineRenderer: Equatable {
    /// Whether a person reads and writes in the terminal.
    var isForPerson = false
    var hasColor = false
    var isQuiet = false
    var isVerbose = false

    struct Line: Equatable {
        var text: String
        var isTalk = false
    }

    func lines(_ fact: ChatLine) -> [Line] {
        switch fact {
        case .agent(let reply): return lines(reply)
        case .user(_, let text):
            return isForPerson || isQuiet ? [] : [Line(text: "you: " + ForeignText.talkLine(text))]
        case .system(_, let text, _):
            return isQuiet ? [] : [Line(text: "* " + ForeignText.talkLine(text))]
        case .ended(let reason):
            let tail = reason.map { ": " + ForeignText.talkLine($0) } ?? ""
            return isQuiet ? [] : [Line(text: "* The conversation has ended" + tail)]
        case .delivery(_, "failed", _, let text):
            return [Line(text: "not delivered: " + ForeignText.talkLine(text), isTalk: true)]
        case .error(_, let message, _):
            return [Line(text: ForeignText.talkLine(message), isTalk: true)]
        case .status(let phase, let attempt):
            guard isVerbose else { return [] }
            return [Line(text: phase + (attempt.map { " \($0)" } ?? ""), isTalk: true)]
        case .session(let id, _):
            return isVerbose ? [Line(text: "session " + ForeignText.talkLine(id), isTalk: true)] : []
        case .delivery, .typing, .chunk: return []
        }
    }

    private func lines(_ reply: ChatLine.Reply) -> [Line] {
        let name = ForeignText.talkLine(reply.name ?? "agent") + (reply.isLive ? " (live)" : "")
        let label = hasColor ? "\u{1B}[1;36m\(name):\u{1B}[0m " : "\(name): "
        let text: String
        if isForPerson {
            let indent = "\n" + String(repeating: " ", count: 2)
            text = ForeignText.talkLines(reply.text).split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: indent)
        } else {
            text = ForeignText.talkLine(reply.text)
        }
        let extras =
            AttachmentText.lines(reply.attachments, reply.callActions)
            + reply.suggestions.enumerated().map {
                "[\($0 + 1)] "
                    + (isForPerson ? AttachmentText.title(ofSuggestion: $1) : ForeignText.talkLine($1))
            }
        return [Line(text: label + text)] + extras.map { Line(text: "  " + $0) }
    }
}
