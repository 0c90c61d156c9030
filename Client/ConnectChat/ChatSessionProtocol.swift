public import ConnectCore
public import Foundation

/// Methods and callbacks of a chat, including the pages of its transcript.
///
/// ```swift
/// ChatSession.shared.onTranscriptUpdated = { data in print(data.transcriptList.count) }
/// ChatSession.shared.connect(chatDetails: ChatDetails(participantToken: token)) { result in print(result) }
/// ```
public protocol ChatSessionProtocol: ChatSessionCalls {
    /// Reads a page of the transcript and merges it into the local transcript. Nil means a backward scan, ascending
    /// order and 30 items. `maxResults` is 1 to 100. `startPosition` is the id of the item at which the scan starts;
    /// `nextToken`, from the previous page, continues after that page. `completion` is called once, on the main actor.
    func getTranscript(
        scanDirection: AWSConnectParticipantScanDirection?, sortOrder: AWSConnectParticipantSortKey?,
        maxResults: NSNumber?, nextToken: String?, startPosition: String?,
        completion: @escaping (Result<TranscriptResponse, any Error>) -> Void
    )
}

extension ChatSession: ChatSessionProtocol {
    /// The shared chat of the app.
    public static let shared: any ChatSessionProtocol & Sendable = ChatSession()

    /// Reads a page of the transcript and merges it into the local transcript.
    public func getTranscript(
        scanDirection: AWSConnectParticipantScanDirection? = .backward,
        sortOrder: AWSConnectParticipantSortKey? = .ascending, maxResults: NSNumber? = 30,
        nextToken: String? = nil, startPosition: String? = nil,
        completion: @escaping (Result<TranscriptResponse, any Error>) -> Void
    ) {
        var page = PageRequest()
        page.isForward = scanDirection == .forward
        page.isDescending = sortOrder == .descending
        page.maxResults = maxResults?.intValue ?? ConnectLimits.firstPage
        (page.nextToken, page.startID) = (nextToken, startPosition)
        read(page, completion: completion)
    }
}

extension ChatSessionProtocol {
    /// Reads a page from an item on. Of `startPosition`, only the `identifier` is used.
    @_disfavoredOverload
    public func getTranscript(
        scanDirection: AWSConnectParticipantScanDirection?, sortOrder: AWSConnectParticipantSortKey?,
        maxResults: NSNumber?, nextToken: String?, startPosition: AWSConnectParticipantStartPosition?,
        completion: @escaping (Result<TranscriptResponse, any Error>) -> Void
    ) {
        getTranscript(
            scanDirection: scanDirection, sortOrder: sortOrder, maxResults: maxResults, nextToken: nextToken,
            startPosition: startPosition?.identifier, completion: completion)
    }

    /// Reads a page, by default the newest 30 items in ascending order of time.
    public func getTranscript(
        scanDirection: AWSConnectParticipantScanDirection? = .backward,
        sortOrder: AWSConnectParticipantSortKey? = .ascending, maxResults: NSNumber? = 30,
        nextToken: String? = nil, completion: @escaping (Result<TranscriptResponse, any Error>) -> Void
    ) {
        getTranscript(
            scanDirection: scanDirection, sortOrder: sortOrder, maxResults: maxResults, nextToken: nextToken,
            startPosition: String?.none, completion: completion)
    }

    /// Reads a page and merges it into the local transcript. Throws a ``ConnectChatError``, or `CancellationError`.
    @MainActor
    public func getTranscript(
        scanDirection: AWSConnectParticipantScanDirection? = nil,
        sortOrder: AWSConnectParticipantSortKey? = nil, maxResults: NSNumber? = nil,
        nextToken: String? = nil, startPosition: String? = nil
    ) async throws -> TranscriptResponse {
        try await OneAnswer.wait { done in
            self.getTranscript(
                scanDirection: scanDirection, sortOrder: sortOrder, maxResults: maxResults,
                nextToken: nextToken, startPosition: startPosition, completion: done)
        }
    }
}
