#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension ClientCore {
    /// Identifies a call of the app that waits for a result. Each call gets exactly one ``Output/finished(_:_:)``.
    package struct CallID: Hashable, Sendable {
        package var number: Int

        package init(_ number: Int) {
            self.number = number
        }
    }

    /// Inputs from the platform layer, in the order in which they happened. Inputs about an attempt that has ended are
    /// ignored.
    package enum Input: Sendable, Equatable {
        // MARK: Life

        /// The client was created. Sent once. `stored` is the stored record; nil if there is none, or if it must not be
        /// used.
        case start(stored: StoredSession?)
        /// The client is released. Later calls fail. Other later inputs are ignored.
        case shutdown

        // MARK: REST

        case restEnded(request: Int, RESTReply)

        // MARK: WebSocket

        case socketOpened(attempt: Int)
        case socketText(attempt: Int, [UInt8])
        case socketBinary(attempt: Int)
        /// The connection ended. The code is 1005 if the close frame had no code, and 1006 if there was no close frame.
        case socketClosed(attempt: Int, ConnectionCloseEvent)
        /// The connection could not be opened, or it failed. The fault contains the reason that the system reported.
        case socketFailed(attempt: Int, TransportFault)

        // MARK: Calls of the app

        /// Sends a text as the user typed it. A blank text is ignored. The SDK adds `local_id` to the metadata.
        case send(text: String, metadata: [String: String], CallID)
        case retry(draftID: String, CallID)
        case typing(CallID)
        case end(reason: String?, CallID)
        case resume(CallID)
        case startNewSession(CallID)
        /// The app has removed the bubble of this draft. The draft is not sent again.
        case removeDraft(String)

        // MARK: Signals

        case networkLost
        case networkRestored
        case foregrounded

        // MARK: Escape hatch

        /// Sends an event without creating a draft. If sending fails, the call gets the error, and
        /// ``RawOutput/fault(_:)`` reports the same error.
        case rawEvent(OutgoingEvent, CallID)
        case rawFrame([UInt8], CallID)
        /// Connects to exactly this address. The session does not change.
        case rawConnect(URL)
        case rawDisconnect(code: Int, reason: String)
    }

    /// Actions for the platform layer, to be executed in order. After each list of actions, the platform layer sets its
    /// timer to ``ClientCore/nextDeadline``.
    package enum Output: Sendable, Equatable {
        // MARK: REST

        /// Send this request and answer with ``Input/restEnded(request:_:)``. Answers to earlier requests are ignored.
        case request(RESTRequest)

        // MARK: WebSocket

        /// Open a WebSocket. The URL contains the access token. At most one other attempt exists at this time, and its
        /// socket is closing.
        case open(attempt: Int, url: URL)
        case transmit(attempt: Int, [UInt8])
        /// Close the attempt after all earlier output is sent. Code 1006, which RFC 6455 §7.4.1 reserves, cuts the
        /// connection without a close frame. For any other code, send a close frame and wait for the peer's close
        /// frame.
        case close(attempt: Int, code: Int, reason: String)

        // MARK: Public events, one ordered stream

        /// Publish the update on the public stream for its kind, and on the stream from which ``ChatTranscript`` is
        /// built.
        case notify(ClientUpdate)
        /// The app has removed a draft. Clients that subscribe later get no row for it.
        case draftRemoved(String)
        /// Publish on the raw streams of ``Connection``.
        case raw(RawOutput)
        /// The call has finished; the error is nil if it succeeded. Sent exactly once for each ``CallID``.
        case finished(CallID, PolyError?)

        // MARK: The rest

        /// Write the record, or remove the stored record if the value is nil. If only the time of the last activity
        /// changes, there is at most one write per second.
        case store(StoredSession?)
        /// Log this sentence. It contains no secrets.
        case log(LogLevel, String)
        /// Check whether there is network access. If there is, send ``Input/networkRestored``.
        case checkNetwork
        /// Finish all streams. This is the last output.
        case finishStreams
    }

    package enum RawOutput: Sendable, Equatable {
        case opened
        /// The connection of an attempt has ended. Sent exactly once for each attempt.
        case closed(ConnectionCloseEvent)
        /// A received text frame, even if it cannot be decoded.
        case frame([UInt8])
        /// The event of a frame that is not a batch, before de-duplication.
        case message(MessagingEvent)
        /// The events of a batch, before de-duplication.
        case batch([MessagingEvent])
        case fault(PolyError)
    }
}

/// An update for the app. Updates of all kinds arrive in one common order.
package enum ClientUpdate: Sendable, Equatable {
    case event(MessagingEvent)
    /// The new connection status, for `connectionStatus` and `Connection.status`.
    case status(ConnectionStatus)
    case sessionState(SessionState)
    /// A new session begins: later updates belong to it. Its id may equal that of an earlier session, because a
    /// restarted server may reuse ids.
    case sessionChanged(String)
}
