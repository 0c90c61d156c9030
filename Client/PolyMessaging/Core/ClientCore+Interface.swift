#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension ClientCore {
    /// Identifies a call of the app that waits for a result. ``Output/finished(_:_:)`` follows exactly once.
    package struct CallID: Hashable, Sendable {
        package var number: Int

        package init(_ number: Int) {
            self.number = number
        }
    }

    /// Events from the platform layer, in the order they happened. Events of a finished attempt are ignored.
    package enum Input: Sendable, Equatable {
        // MARK: Life

        /// Sent once, at the creation. `stored` is the stored record; nil if there is none or it must not be used.
        case start(stored: StoredSession?)
        /// The client is released. Later inputs fail or are ignored.
        case shutdown

        // MARK: REST

        case restEnded(request: Int, RESTReply)

        // MARK: WebSocket

        case socketOpened(attempt: Int)
        case socketText(attempt: Int, [UInt8])
        case socketBinary(attempt: Int)
        /// The connection ended. The code is 1005 for a close frame without a code, and 1006 without a close frame.
        case socketClosed(attempt: Int, ConnectionCloseEvent)
        /// The connection could not be opened, or failed, for a reason reported by the system.
        case socketFailed(attempt: Int, TransportFault)

        // MARK: Calls of the app

        /// Sends text as typed by the user; blank text is ignored. The SDK adds `local_id` to the metadata.
        case send(text: String, metadata: [String: String], CallID)
        case retry(draftID: String, CallID)
        case typing(CallID)
        case end(reason: String?, CallID)
        case resume(CallID)
        case startNewSession(CallID)
        /// The app has removed the bubble of this draft, which is not sent again.
        case removeDraft(String)

        // MARK: Signals

        case networkLost
        case networkRestored
        case foregrounded

        // MARK: Escape hatch

        /// Sends an event without making a draft. A failure is also reported as ``RawOutput/fault(_:)``.
        case rawEvent(OutgoingEvent, CallID)
        case rawFrame([UInt8], CallID)
        /// Connects to exactly this address; the session stays unchanged.
        case rawConnect(URL)
        case rawDisconnect(code: Int, reason: String)
    }

    /// Actions for the platform layer, in this order. After each list it sets its timer to ``ClientCore/nextDeadline``.
    package enum Output: Sendable, Equatable {
        // MARK: REST

        /// Make this request and answer with ``Input/restEnded(request:_:)``. Only the last request's answer is used.
        case request(RESTRequest)

        // MARK: WebSocket

        /// Open a WebSocket. At most one attempt is alive in addition to a closing one. The URL holds the access token.
        case open(attempt: Int, url: URL)
        case transmit(attempt: Int, [UInt8])
        /// Close the attempt after sending all earlier output. Code 1006, which RFC 6455 §7.4.1 reserves, cuts the
        /// connection without a close frame; with any other code, send a close frame and wait for the peer's.
        case close(attempt: Int, code: Int, reason: String)

        // MARK: Public events, one ordered stream

        /// Publish the update on the public stream of its kind, and on the stream that feeds ``ChatTranscript``.
        case notify(ClientUpdate)
        /// The app has removed a draft. Later subscribers get no row for the draft.
        case draftRemoved(String)
        /// Publish on the raw streams of ``Connection``.
        case raw(RawOutput)
        /// The call is finished, without an error if it succeeded. Comes exactly once for each ``CallID``.
        case finished(CallID, PolyError?)

        // MARK: The rest

        /// Write the record, or remove it if nil. Activity alone causes at most one write per second.
        case store(StoredSession?)
        /// Log a sentence without secrets.
        case log(LogLevel, String)
        /// Check for network access, and send ``Input/networkRestored`` if there is any.
        case checkNetwork
        /// Finish all streams. This is the last output.
        case finishStreams
    }

    package enum RawOutput: Sendable, Equatable {
        case opened
        /// Comes once for each attempt.
        case closed(ConnectionCloseEvent)
        /// A text frame as received, even if it cannot be decoded.
        case frame([UInt8])
        /// The event of a frame that is not a batch, before de-duplication.
        case message(MessagingEvent)
        /// The events of a batch, before de-duplication.
        case batch([MessagingEvent])
        case fault(PolyError)
    }
}

/// An update for the app. Updates of all kinds share one order.
package enum ClientUpdate: Sendable, Equatable {
    case event(MessagingEvent)
    /// The new connection status, for `connectionStatus` and `Connection.status`.
    case status(ConnectionStatus)
    case sessionState(SessionState)
    /// Later updates belong to a new session, even if its id is the old one: a restarted server may reuse ids.
    case sessionChanged(String)
}
