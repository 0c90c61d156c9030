import Clocks
import PolyMessaging

/// The client of a run, whatever it speaks.
protocol SweptClient: Sendable {
    /// Why it cannot talk.
    var obstacle: String? { get async }
    /// The session that it is in.
    var sessionID: String? { get }
    /// Of every kind.
    var rowCount: Int { get async }

    func say(_ text: String) async throws
    func rows() async throws -> [SweptRow]
}

/// A row as people see it, in a line that can be compared.
struct SweptRow: Sendable {
    var text: String
    /// The server keeps it nowhere: once lost it never comes again.
    var isTransient = false
    /// It stands in place of an end that came while the client was away.
    var isMissedEnd = false

    private static let growing = "\" growing"

    /// The line of a message that may have more text to come.
    static func message(_ speaker: String, _ text: String, _ fate: String?) -> String {
        "\(speaker) \"\(text)" + (fate.map { "\" \($0)" } ?? growing)
    }

    /// How a line begins that says of a message that it grows; nil for another line.
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
    /// A tap of one client, which keeps what arrives and cuts the connection where `course` wants it.
    ///
    /// - Parameters:
    ///   - course: the interruptions.
    ///   - flaw: a mistake that the client seems to make.
    ///   - counts: whether a message is one of those that the interruptions count.
    /// - Returns: the client's network.
    func sweepTap(
        on course: CutPlan, _ flaw: PlantedBug?, counts: @escaping @Sendable ([UInt8]) -> Bool
    ) -> WebTap {
        let tap = WebTap(tap)
        // Of the flaws: whether the last reply is still to be repeated; whether the next one is lost, and which are.
        let mistake = Locked((repeats: flaw == .repeatsLastReply, loses: false, lost: Set<String>()))
        tap.judgeInbound { [weak tap] message in
            let fault = counts(message) ? course.take(message) : nil
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

    /// A chat that is cut where `course` wants it.
    func chat(streaming: Bool, on course: CutPlan, _ flaw: PlantedBug?) async throws -> MockChat {
        let tap = sweepTap(on: course, flaw) { _ in true }
        let client = try client(store: MemorySessionStore(), tap: tap) { configuration in
            configuration.streamingEnabled = streaming
        }
        let chat = await MockChat(mock: self, client: client, streaming: streaming)
        keep(chat)
        let session = chat.session
        let isThere = try await play(within: Limits.chatTime) {
            await session.catchUp()
            let hasFailed = await session.failureReason != nil
            return await session.isReady || hasFailed
        }
        guard isThere else {
            throw MockError("the chat has not connected in \(Limits.chatTime) of mock time")
        }
        return chat
    }
}
