import Clocks
import PolyMessaging

/// The client of a run, of whichever protocol.
protocol SweptClient: Sendable {
    /// The reason why the client cannot send messages.
    var obstacle: String? { get async }
    var sessionID: String? { get }
    /// Rows of every kind.
    var rowCount: Int { get async }

    func say(_ text: String) async throws
    func rows() async throws -> [SweptRow]
}

/// A row as people see it, as a comparable line.
struct SweptRow: Sendable {
    var text: String
    /// Whether the server does not keep the row, so that a lost one is not sent again.
    var isTransient = false
    /// A row in place of an end that came while the client was away.
    var isMissedEnd = false

    private static let growing = "\" growing"

    /// The line of a message that may have more text to come.
    static func message(_ speaker: String, _ text: String, _ fate: String?) -> String {
        "\(speaker) \"\(text)" + (fate.map { "\" \($0)" } ?? growing)
    }

    /// The beginning of a line whose message grows; nil for another line.
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
    /// The network of one client: records all messages, and cuts the connection where `course` says, counting the
    /// messages for which `counts` is true. `flaw` is a mistake that the client seems to make.
    func sweepTap(
        on course: CutPlan, _ flaw: PlantedBug?, counts: @escaping @Sendable ([UInt8]) -> Bool
    ) -> WebTap {
        let tap = WebTap(tap)
        // State of the flaws: the last reply is still to be repeated; the next one is lost; ids of lost ones.
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

    /// A chat that is cut where `course` says.
    func chat(streaming: Bool, on course: CutPlan, _ flaw: PlantedBug?) async throws -> MockChat {
        try await connect(
            streaming: streaming, mustConnect: false, tap: sweepTap(on: course, flaw) { _ in true })
    }
}
