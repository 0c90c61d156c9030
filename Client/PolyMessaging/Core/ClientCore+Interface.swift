#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension ClientCore {
    package struct CallID: Hashable, Sendable {
        package var number: Int

        package init(_ number: Int) {
            self.number = number
        }
    }

    /// Inputs from the platform layer.
    package enum Input: Sendable, Equatable {
        // MARK: Life

        /// The client was created. `stored`: the record of an earlier client.
        case start(stored: StoredSession?)
        /// The client is shut down or released.
        case shutdown

        // MARK: REST

        case restEnded(request: Int, RESTReply)

        // MARK: WebSocket

        case socketOpened(attempt: Int)
        case socketText(attempt: Int, [UInt8])
        case socketBinary(attempt: Int)
        /// Code 1005: a close frame without a code. Code 1006: no close frame.
        case socketClosed(attempt: Int, ConnectionCloseEvent)
        /// The connection could not be opened, or it failed with this fault.
        case socketFailed(attempt: Int, TransportFault)

        // MARK: Calls of the app

        /// Sends a text without surrounding white space. A blank text is ignored, unless the metadata has `files`.
        case send(text: String, metadata: [String: String], CallID)
        case retry(draftID: String, CallID)
        case typing(CallID)
        case end(reason: String?, CallID)
        case resume(CallID)
        case startNewSession(CallID)
        case removeDraft(String)

        // MARK: Signals

        case networkLost
        case networkRestored
        case foregrounded

        // MARK: Escape hatch

        /// Sends an event without a draft.
        case rawEvent(OutgoingEvent, CallID)
        case rawFrame([UInt8], CallID)
        case rawConnect(URL)
        case rawDisconnect(code: Int, reason: String)
    }

    /// Actions for the platform layer, to execute in order.
    package enum Output: Sendable, Equatable {
        // MARK: REST

        /// Send this request and answer with ``Input/restEnded(request:_:)``.
        case request(RESTRequest)

        // MARK: WebSocket

        /// Open a WebSocket. The URL may contain the access token.
        case open(attempt: Int, url: URL)
        case transmit(attempt: Int, [UInt8])
        /// Send a close frame after all earlier frames, or cut the connection for code 1006 (RFC 6455 §7.4.1).
        case close(attempt: Int, code: Int, reason: String)

        // MARK: Public events, one ordered stream

        case notify(ClientUpdate)
        case draftRemoved(String)
        case raw(RawOutput)
        /// The call succeeded, or failed with the error.
        case finished(CallID, PolyError?)

        // MARK: The rest

        /// Write the record, or remove it if nil.
        case store(StoredSession?)
        case log(LogLevel, String)
        /// Check for network access. If there is any, send ``Input/networkRestored``.
        case checkNetwork
        /// Finish all streams.
        case finishStreams
    }

    package enum RawOutput: Sendable, Equatable {
        case opened
        /// The end of a connection attempt.
        case closed(ConnectionCloseEvent)
        /// A text frame, before decoding.
        case frame([UInt8])
        /// Event of a frame other than a batch, before de-duplication.
        case message(MessagingEvent)
        /// Events of a batch, before de-duplication.
        case batch([MessagingEvent])
        case fault(PolyError)
    }
}

/// Update for the app.
package enum ClientUpdate: Sendable, Equatable {
    case event(MessagingEvent)
    /// `messagePending` of a draft that answers the message `replyTo`.
    case reply(draftID: String, text: String, replyTo: String)
    case status(ConnectionStatus)
    case sessionState(SessionState)
    /// Id of a session that was created or resumed.
    case sessionChanged(String)
}
