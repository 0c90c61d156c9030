import ChatPresentation
import Clocks
import Foundation
import SocketTransport

/// What the model of a chat screen costs.
func screenBenchmark() {
    let among = [100, 10_000].map(messageCost)
    tell(
        "a new message among 100 rows: \(microseconds(among[0])), among 10,000: \(microseconds(among[1])), "
            + "\(ratio(among[1], among[0])) times as much")
    let receipts = [100, 10_000].map(receiptCost)
    tell(
        "a receipt among 100 rows: \(microseconds(receipts[0])), among 10,000: \(microseconds(receipts[1])), "
            + "\(ratio(receipts[1], receipts[0])) times as much")
    let (opening, reading) = openingCost(of: 10_000)
    tell(
        "opening over 10,000 messages: \(ratio(opening, reading)) times as much as reading them "
            + "(\(String(format: "%.1f", reading)) ms)")
    for piece in ["[", "*a ", "`", "<a ", "[a](", "https://\\", "https://&#92;", "- ", "a@"] {
        let costs = [16_000, 32_000].map { grammarCost(piece, bytes: $0) }
        tell("the grammar, twice \(piece.debugDescription): \(ratio(costs[1], costs[0])) times as much")
    }
}

private let clock = SystemClock()

private func milliseconds(since start: Instant) -> Double {
    Double((clock.now - start).nanoseconds) / 1_000_000
}

private func microseconds(_ milliseconds: Double) -> String {
    String(format: "%.2f µs", milliseconds * 1_000)
}

private func ratio(_ more: Double, _ less: Double) -> String {
    String(format: "%.2f", more / max(less, 1e-9))
}

/// Milliseconds of one more message: the best of 20 talks, of 50 messages each.
private func messageCost(among rows: Int) -> Double {
    func message(_ number: Int) -> ChatAction {
        .event(
            ChatEvent(
                id: "e\(number)", sequence: number, at: Milliseconds(number) * 1_000,
                .message(.init(id: "m\(number)", text: "Hello **there**", name: "Ada"), from: .agent)))
    }
    var best = Double.infinity
    for _ in 0..<20 {
        var chat = ChatModel()
        for number in 1...rows { _ = chat.apply(message(number), at: 0) }
        let news = (1...50).map { message(rows + $0) }
        let start = clock.now
        for action in news { _ = chat.apply(action, at: 0) }
        best = min(best, milliseconds(since: start) / 50)
    }
    return best
}

/// Milliseconds of one receipt for a message in the middle: the best of 20 talks, of 50 messages each.
private func receiptCost(among rows: Int) -> Double {
    var best = Double.infinity
    for _ in 0..<20 {
        var chat = ChatModel()
        for number in 1...rows {
            let kind = ChatEvent.Kind.userMessage(id: "u\(number)", text: "Hello there", draftID: nil)
            _ = chat.apply(.event(ChatEvent(id: "", sequence: number, at: 0, kind)), at: 0)
        }
        let receipts = (1...50).map { number in
            let change = ChatEvent.Kind.changed(messageID: "u\(rows / 2 + number - 1)", .receipt(.read))
            return ChatAction.event(ChatEvent(id: "", sequence: nil, at: 0, change))
        }
        let start = clock.now
        for receipt in receipts { _ = chat.apply(receipt, at: 0) }
        best = min(best, milliseconds(since: start) / 50)
    }
    return best
}

/// Milliseconds to open a screen over so many messages, and to read them one by one: the best of 10.
private func openingCost(of count: Int) -> (opening: Double, reading: Double) {
    let events = (1...count).map { number in
        ChatEvent(
            id: "e\(number)", sequence: number, at: Milliseconds(number) * 1_000,
            .message(.init(id: "m\(number)", text: "Hello **there**", name: "Ada"), from: .agent))
    }
    let history = ChatHistory(entries: events.map { .event($0) }, isOpen: true)
    var best = (opening: Double.infinity, reading: Double.infinity)
    for _ in 0..<10 {
        var read = ChatModel()
        var start = clock.now
        for event in events { _ = read.apply(.event(event), at: 0) }
        best.reading = min(best.reading, milliseconds(since: start))
        var opened = ChatModel()
        start = clock.now
        _ = opened.apply(.fill(history), at: 0)
        best.opening = min(best.opening, milliseconds(since: start))
    }
    return best
}

private func grammarCost(_ piece: String, bytes: Int) -> Double {
    let text = String(repeating: piece, count: bytes / piece.utf8.count)
    var best = Double.infinity
    for _ in 0..<3 {
        let start = clock.now
        _ = MessageText.parse(text)
        _ = MessageText.parse(text, isOpen: true)
        best = min(best, milliseconds(since: start))
    }
    return best
}
