import ConnectCore

extension MockContact: SweptClient {
    var obstacle: String? { nil }
    var sessionID: String? { details.contactId }

    var rowCount: Int {
        get async { session.latestTranscript.rows.count }
    }

    func say(_ text: String) async throws { try await say(text, fileID: #fileID) }

    func rows() async throws -> [SweptRow] {
        try await rows.map { row in
            let kind = String(row.contentType.split(separator: ".").suffix(2).joined(separator: "."))
            guard row.kind == .message else {
                return SweptRow(
                    text: "\(row.participant) \(kind)",
                    isTransient: ["participant.idle", "participant.returned", "event.typing"].contains(kind),
                    isMissedEnd: row.id == Self.missedEnd)
            }
            return SweptRow(text: SweptRow.message(row.participant, row.text, Self.fate(row)))
        }
    }

    /// Id of the item that the SDK makes when the contact has ended meanwhile.
    private static let missedEnd = "chat-ended-event"

    /// Receipts are kept nowhere: a message that has arrived may have been read as well. Nil for one that grows.
    private static func fate(_ row: TranscriptRow) -> String? {
        switch row.status {
        case .Sending?: "sending"
        case .Failed?: "failed"
        case .Sent?, .Delivered?, .Read?, .Unknown?, nil: row.isComplete ? "whole" : nil
        }
    }
}

extension Mock {
    /// A contact that is cut where `course` says. Heartbeats of its connections are not counted.
    func contact(streaming: Bool, on course: CutPlan, _ flaw: PlantedBug?) async throws -> MockContact {
        try await contact(
            streaming: streaming, through: sweepTap(on: course, flaw, counts: SweepText.isItem))
    }
}
