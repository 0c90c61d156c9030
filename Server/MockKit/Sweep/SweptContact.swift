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

    /// The id of the item that the SDK adds if the contact ended while the client was away.
    private static let missedEnd = "chat-ended-event"

    /// Returns the delivery state without receipts; nil for a message that may still grow.
    private static func fate(_ row: TranscriptRow) -> String? {
        switch row.status {
        case .Sending?: "sending"
        case .Failed?: "failed"
        case .Sent?, .Delivered?, .Read?, .Unknown?, nil: row.isComplete ? "whole" : nil
        }
    }
}

extension Mock {
    func contact(streaming: Bool, on course: CutPlan, _ flaw: PlantedBug?) async throws -> MockContact {
        try await contact(
            streaming: streaming, through: sweepTap(on: course, flaw, counts: SweepText.isItem))
    }
}
