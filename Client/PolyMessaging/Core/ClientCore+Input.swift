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

        /// The result of the request with this id.
        case restEnded(request: Int, RESTReply)

        // MARK: WebSocket

        /// The upgrade was accepted.
        case socketOpened(attempt: Int)
        /// A whole text message.
        case socketText(attempt: Int, [UInt8])
        /// A whole binary message.
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
        /// A keystroke.
        case typing(CallID)
        case end(reason: String?, CallID)
        case resume(CallID)
        case startNewSession(CallID)
        /// The app took this draft's bubble away: no more copies.
        case removeDraft(String)

        // MARK: Signals

        case networkLost
        case networkRestored
        /// The app came back to the front.
        case foregrounded

        // MARK: Escape hatch

        /// An event as given; no draft is made. A failure is also reported as ``RawOutput/fault(_:)``.
        case rawEvent(OutgoingEvent, CallID)
        /// A text frame as given.
        case rawFrame([UInt8], CallID)
        /// Dial this very address; the session stays as it is.
        case rawConnect(URL)
        case rawDisconnect(code: Int, reason: String)
    }
}
