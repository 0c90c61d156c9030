import Clocks
import PolyMessaging

protocol SweptClient: Sendable {
    var obstacle: String? { get async }
    var sessionID: String? { get }
    var rowCount: Int { get async }

    func say(_ text: String) async throws
    func rows() async throws -> [SweptRow]
}

struct SweptRow: Sendable {
    var text: String
    /// Whether the row cannot be recovered, because the server does not store it.
    var isTransient = false
    var isMissedEnd = false

    private static let growing = "\" growing"

    /// Returns the line of a message. If `fate` is nil, the text of the message may still grow.
    static func message(_ speaker: String, _ text: String, _ fate: String?) -> String {
        "\(speaker) \"\(text)" + (fate.map { "\" \($0)" } ?? growing)
    }

    static func beginning(ofGrowing line: String) -> String? {
        line.hasSuffix(growing) ? String(line.dropLast(growing.count)) : nil
    }
}

extension MockChat: SweptClient {
    var obstacle: String? {
        get async { await session.failureReason.map { "\($0)" } }
    }

    var rowCount: Int {
        get async {
            await session.catchUp()
            return await session.messages.count
        }
    }

    func say(_ text: String) async throws { try await say(text, fileID: #fileID) }

    func rows() async throws -> [SweptRow] {
        try await messages.map {
            SweptRow(text: SweepText.row($0), isTransient: SweepText.isTransient($0))
        }
    }
}

extension Mock {
    /// Returns the network of one client, with the interruptions of `course`. `counts` returns whether `course` counts
    /// a message.
    func sweepTap(
        on course: CutPlan, _ flaw: PlantedBug?, counts: @escaping @Sendable ([UInt8]) -> Bool
    ) -> WebTap {
        let tap = WebTap(tap)
        // State of the simulated bugs: whether to repeat the last reply or lose the next one, and ids of lost replies.
        let mistake = Locked((repeats: flaw == .repeatsLastReply, loses: false, lost: Set<String>()))
        tap.judgeInbound { [weak tap] message in
            let fault = counts(message) ? course.receive(message) : nil
            let isAgain = flaw == .repeatsLastReply && tap.map { $0.dialled.count > 1 } ?? false
            let last = isAgain ? course.arrived.last(where: SweepText.isReply) : nil
            return mistake.withLock { mistake in
                var messages = fault?.replacements(of: message) ?? [message]
                if let fault {
                    if flaw == .losesBehindFaults, !fault.cutsConnection { mistake.loses = true }
                } else {
                    if mistake.loses, SweepText.isReply(message) {
                        mistake.loses = false
                        mistake.lost.formUnion(FrameFault.ids(message))
                    }
                    if !mistake.lost.isEmpty {
                        messages = FrameFault.without(mistake.lost, message).map { [$0] } ?? []
                    }
                }
                if isAgain, mistake.repeats {
                    mistake.repeats = false
                    if let last { messages.append(PlantedBug.withOtherID(last)) }
                }
                return WebTap.Delivery(messages, isCut: fault?.cutsConnection ?? false)
            }
        }
        if flaw == .cursorTooFar { tap.rewriteRequests(PlantedBug.tooFar) }
        return tap
    }

    func chat(streaming: Bool, on course: CutPlan, _ flaw: PlantedBug?) async throws -> MockChat {
        try await connect(
            streaming: streaming, mustConnect: false, tap: sweepTap(on: course, flaw) { _ in true })
    }
}
