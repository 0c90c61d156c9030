import PolyMessaging
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ScreenChat {
    mutating func run(_ command: SlashCommand) {
        switch command {
        case .help: show(SlashCommand.helpText)
        case .quit: leave(ExitCode.done)
        case .end: outputs.append(.call(.end))
        case .new: outputs.append(.call(.startNew))
        case .resume: outputs.append(.call(.resume))
        case .retry(let number): withFailure(number) { $0.outputs.append(.call(.retry(draftID: $1))) }
        case .discard(let number): withFailure(number) { $0.outputs.append(.call(.discard(draftID: $1))) }
        case .typing(let isOn): outputs.append(.call(.setTyping(isOn)))
        case .heartbeat: outputs.append(.call(.heartbeat))
        case .raw(let frame): outputs.append(.call(.raw(frame)))
        case .open(let number):
            show(cardAddress(number) ?? "there is no card \(number)")
        case .copy(let number): copy(number)
        case .export(let path): export(path)
        case .file(let path): outputs.append(.call(.sendFile(path)))
        case .debug: showsDiagnostics.toggle()
        case .misuse(let sentence): show(sentence)
        }
    }

    /// Calls `change` with the draft id of a failed message, and removes the message. `number` counts failed messages
    /// from 1; nil means the last one.
    private mutating func withFailure(_ number: Int?, _ change: (inout ScreenChat, String) -> Void) {
        let failed = transcript.messages.compactMap { message -> String? in
            if case .user(let said) = message, said.delivery == .failed { said.draftId } else { nil }
        }
        let place = (number ?? failed.count) - 1
        guard failed.indices.contains(place) else {
            show(
                failed.isEmpty ? "nothing failed to be delivered" : "there is no failed message \(place + 1)")
            return
        }
        change(&self, failed[place])
        transcript.removeMessage(draftID: failed[place])
    }

    private func cardAddress(_ number: Int) -> String? {
        let cards = transcript.messages.flatMap(\.attachments).filter { $0.contentType != .unknown }
        guard cards.indices.contains(number - 1) else { return nil }
        return cards[number - 1].contentUrl?.absoluteString ?? "the card has no address"
    }

    /// Copies a text to the clipboard by the terminal sequence OSC 52 of xterm, which works over SSH.
    private mutating func copy(_ number: Int?) {
        let lastReply = transcript.messages.last { $0.isAgent }?.text
        guard let text = number.map({ cardAddress($0) }) ?? lastReply else {
            show(number == nil ? "no agent has said anything yet" : "there is no such card")
            return
        }
        let encoded = Data(text.utf8).base64EncodedString()
        outputs.append(.write(Array("\u{1B}]52;c;\(encoded)\u{7}".utf8)))
        show("copied, if the terminal allows it")
    }

    private mutating func export(_ path: String) {
        guard let text = TranscriptExport.text(transcript.messages, for: path) else {
            show("/export takes a file ending in .txt, .json or .jsonl")
            return
        }
        outputs.append(.export(path, Array(text.utf8)))
    }
}

enum TranscriptExport {
    static func text(_ messages: [ChatMessage], for path: String) -> String? {
        if path.hasSuffix(".txt") { return messages.map { plain($0) + "\n" }.joined() }
        let objects = messages.map { object($0).line }
        if path.hasSuffix(".jsonl") { return objects.map { $0 + "\n" }.joined() }
        if path.hasSuffix(".json") { return "[\n" + objects.joined(separator: ",\n") + "\n]\n" }
        return nil
    }

    private static func plain(_ message: ChatMessage) -> String {
        switch message {
        case .user(let said): "you: " + ForeignText.talkLines(said.text)
        case .agent(let said):
            ForeignText.talkLine(said.agentName ?? "agent") + ": " + ForeignText.talkLines(said.text)
        case .system(let notice): "* " + ForeignText.talkLine(Notice(notice.event).text)
        }
    }

    private static func object(_ message: ChatMessage) -> JSONObject {
        let members: [(String, String?)] =
            switch message {
            case .user(let said): [("who", "user"), ("text", said.text)]
            case .agent(let said):
                [
                    ("who", said.agentKind == .live ? "live" : "poly"), ("name", said.agentName),
                    ("text", said.text),
                ]
            case .system(let message):
                [
                    ("who", "system"), ("event", Notice(message.event).event),
                    ("text", Notice(message.event).text),
                ]
            }
        let time = ("t", TimeText.iso(message.timestamp.timeIntervalSince1970) as String?)
        return JSONObject(present: ([time] + members).map { name, text in (name, text.map { .string($0) }) })
    }
}
