#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension ClientCore {
    /// Identifies a call of the app that waits for an answer: ``Output/finished(_:_:)`` follows once for
    /// each.
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

        /// Sent once, when the client is made. `stored` is the record from the store; nil if there is none or
        /// it must not be used.
        case start(stored: StoredSession?)
        /// The client is released. Later inputs are answered with an error or ignored.
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
        /// The connection could not be made, or failed, for a reason that the system names.
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
        /// The app has removed this draft's bubble: no more copies are sent.
        case removeDraft(String)

        // MARK: Signals

        case networkLost
        case networkRestored
        case foregrounded

        // MARK: Escape hatch

        /// An event as given; no draft is made. A failure is also reported as ``RawOutput/fault(_:)``.
        case rawEvent(OutgoingEvent, CallID)
        case rawFrame([UInt8], CallID)
        /// Connect to exactly this address; the session stays unchanged.
        case rawConnect(URL)
        case rawDisconnect(code: Int, reason: String)
    }

    /// Actions for the shell, in this order. After each list it arms its timer at ``ClientCore/nextDeadline``.
    package enum Output: Sendable, Equatable {
        // MARK: REST

        /// Make this request and answer with ``Input/restEnded(request:_:)``. At most one is under way; an
        /// obsolete one may be finished or cancelled, and its answer is ignored.
        case request(RESTRequest)

        // MARK: WebSocket

        /// Dial. At most one attempt is alive besides one that is closing. The URL holds the access token.
        case open(attempt: Int, url: URL)
        /// Send one text message. Order is kept.
        case transmit(attempt: Int, [UInt8])
        /// End the attempt after sending all earlier output of ``transmit(attempt:_:)``.
        ///
        /// With code 1006 there is no close frame: cut the connection (RFC 6455 §7.4.1 reserves the code).
        /// Otherwise send a close frame with the code and wait for the peer's as long as the transport likes.
        /// ``Input/socketClosed(attempt:_:)`` may follow and is ignored when the core has moved on.
        case close(attempt: Int, code: Int, reason: String)

        // MARK: Public events, one ordered stream

        /// Send the update to the public stream of its kind, and to the stream that feeds ``ChatTranscript``.
        case notify(ClientUpdate)
        /// The app has removed a draft; later subscribers do not get a row for it.
        case draftRemoved(String)
        /// For the raw streams of ``Connection``.
        case raw(RawOutput)
        /// The call is finished; without an error it succeeded. Exactly once for each ``CallID``.
        case finished(CallID, PolyError?)

        // MARK: The rest

        /// Write the record, or remove it. Writes come at most once a second.
        case store(StoredSession?)
        /// A sentence without secrets.
        case log(LogLevel, String)
        /// Check for network access, and send ``Input/networkRestored`` if there is any.
        case checkNetwork
        /// Finish all streams. The last output.
        case finishStreams
    }

    package enum RawOutput: Sendable, Equatable {
        case opened
        /// Once for each attempt.
        case closed(ConnectionCloseEvent)
        /// A text frame as received, decodable or not.
        case frame([UInt8])
        /// The event of a frame that is not a batch, before de-duplication.
        case message(MessagingEvent)
        /// The events of a batch, before de-duplication.
        case batch([MessagingEvent])
        case fault(PolyError)
    }
}

/// An update for the app. All updates share one order: a session change neither overtakes nor is overtaken.
package enum ClientUpdate: Sendable, Equatable {
    case event(MessagingEvent)
    /// For `connectionStatus`, and the value of `Connection.status`.
    case status(ConnectionStatus)
    case sessionState(SessionState)
    /// Later updates belong to another session than earlier ones, even if the id is the same: a server that
    /// was restarted may count from the beginning. Comes once for each session.
    case sessionChanged(String)
}
