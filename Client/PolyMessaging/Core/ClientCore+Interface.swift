#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension ClientCore {
    /// Names one call of the app that waits for an answer: ``Output/finished(_:_:)`` comes once for each.
    package struct CallID: Hashable, Sendable {
        package var number: Int

        package init(_ number: Int) {
            self.number = number
        }
    }

    /// Events from the shell, in the order they happened.
    ///
    /// Attempts are numbered by ``Output/open(attempt:url:)``. Events of a finished attempt are ignored, so a late
    /// callback does no harm.
    package enum Input: Sendable, Equatable {
        // MARK: Life

        /// Once, when the client is made. `stored` is the record of the store, nil when there is none or when
        /// it must not be used.
        case start(stored: StoredSession?)
        /// The client is given up. Everything after it is answered with an error or ignored.
        case shutdown

        // MARK: REST

        case restEnded(request: Int, RESTReply)

        // MARK: WebSocket

        case socketOpened(attempt: Int)
        case socketText(attempt: Int, [UInt8])
        case socketBinary(attempt: Int)
        /// The connection ended: the peer's close frame, or 1006 when the stream ended without one, or
        /// 1005 for a close frame without a code.
        case socketClosed(attempt: Int, ConnectionCloseEvent)
        /// The connection could not be made, or broke, for a reason the system names.
        case socketFailed(attempt: Int, TransportFault)

        // MARK: Calls of the app

        /// Text as typed; blank text is ignored. Metadata is sent together with the SDK's `local_id`.
        case send(text: String, metadata: [String: String], CallID)
        /// Sends the text of a failed draft again, as a new draft.
        case retry(draftID: String, CallID)
        case typing(CallID)
        case end(reason: String?, CallID)
        case resume(CallID)
        case startNewSession(CallID)
        /// The app took this draft's bubble away: no more copies.
        case removeDraft(String)

        // MARK: Signals

        case networkLost
        case networkRestored
        case foregrounded

        // MARK: Escape hatch

        /// An event as given; no draft is made. A failure is also reported as ``RawOutput/fault(_:)``.
        case rawEvent(OutgoingEvent, CallID)
        case rawFrame([UInt8], CallID)
        /// Dial this very address; the session stays as it is.
        case rawConnect(URL)
        case rawDisconnect(code: Int, reason: String)
    }

    /// Actions for the shell, in this order. After each list it arms its timer at ``ClientCore/nextDeadline``.
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

        // MARK: Public events, one ordered stream

        /// To the public stream of its kind, and to the one stream that feeds ``ChatTranscript``.
        case notify(ClientUpdate)
        /// The app is done with a draft: those who begin to listen later see no row of it.
        case draftRemoved(String)
        /// For the raw streams of ``Connection``.
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
    case event(MessagingEvent)
    /// To `connectionStatus`, and the value of `Connection.status`.
    case status(ConnectionStatus)
    case sessionState(SessionState)
    /// Later updates belong to another session than earlier ones, also when the id is the same: a server that
    /// was restarted may count from the beginning. Comes once for each session.
    case sessionChanged(String)
}
