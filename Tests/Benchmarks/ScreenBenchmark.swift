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
