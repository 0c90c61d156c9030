#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension ClientCore {
    /// Actions for the shell, in this order. After each list it arms its timer at
    /// ``ClientCore/nextDeadline``.
    package enum Output: Sendable, Equatable {
        // MARK: REST

        /// Make this request and answer with ``Input/restEnded(request:_:)``. At most one is under way; one
        /// that is no longer wanted may be finished or cancelled, its answer is ignored.
        case request(RESTRequest)

        // MARK: WebSocket

        /// Dial. At most one attempt is alive besides one that is closing. The URL holds the access token.
        case open(attempt: Int, url: URL)
        /// Send one text message. Order is kept.
        case transmit(attempt: Int, [UInt8])
        /// End the attempt. Whatever was given to ``transmit(attempt:_:)`` before goes out first.
        ///
        /// With code 1006 there is no close frame: cut the connection (RFC 6455 §7.4.1 reserves the code).
        /// Otherwise send a close frame with the code and wait for the peer's as long as the transport likes.
        /// ``Input/socketClosed(attempt:_:)`` may follow and is ignored when the core has moved on.
        case close(attempt: Int, code: Int, reason: String)

        // MARK: What the app sees, one ordered stream

        /// To the public stream of its kind, and to the one stream that feeds ``ChatTranscript``.
        case tell(ClientUpdate)
        /// The app is done with a draft: those who begin to listen later see no row of it.
        case draftRemoved(String)
        /// To the streams of the escape hatch.
        case raw(RawOutput)
        /// The call is over, well when there is no error. Exactly once for each ``CallID``.
        case finished(CallID, PolyError?)

        // MARK: The rest

        /// Write the record, or remove it. Writes come at most once a second.
        case store(StoredSession?)
        /// A sentence without secrets.
        case log(LogLevel, String)
        /// Ask the network monitor whether there is a network; if so, ``Input/networkRestored``.
        case checkNetwork
        /// Finish all streams. The last output there is.
        case finishStreams
    }

    /// Events of the escape hatch.
    package enum RawOutput: Sendable, Equatable {
        case opened
        /// Once for each attempt.
        case closed(ConnectionCloseEvent)
        /// A text frame as it came, decodable or not.
        case frame([UInt8])
        /// The event of a frame that is no batch, before de-duplication.
        case message(MessagingEvent)
        /// The events of a batch, before de-duplication.
        case batch([MessagingEvent])
        case fault(PolyError)
    }
}

/// An update for the app. All updates share one order: a session change neither overtakes nor is overtaken.
package enum ClientUpdate: Sendable, Equatable {
    /// To `events`.
    case event(MessagingEvent)
    /// To `connectionStatus`, and the value of `Connection.status`.
    case status(ConnectionStatus)
    /// To `sessionState`.
    case sessionState(SessionState)
    /// Later updates belong to another session than earlier ones, also when the id is the same: a server that
    /// was restarted may count from the beginning. Comes once for each session.
    case sessionChanged(String)
}
