import Clocks
import PolyMessaging

/// One user with the SDK's client core. A class, because the core is large and must not be copied.
final class LoadUser {
    /// Identifier of a user. A slot may have another user later.
    struct ID: Hashable, Sendable {
        var slot: Int
        var number: Int
    }

    let id: ID
    var core: ClientCore
    /// Connection attempts that have not ended: at most two, of which one is closing.
    var attempts: [Int] = []
    private var lastCall = 0

    init(id: ID, core: ClientCore) {
        self.id = id
        self.core = core
    }

    func nextCall() -> ClientCore.CallID {
        lastCall += 1
        return ClientCore.CallID(lastCall)
    }

    /// Read in place, because a getter of another module would copy the whole core.
    var nextDeadline: Instant? { Self.deadline(of: &core) }

    private static func deadline(of core: inout ClientCore) -> Instant? { core.nextDeadline }

    /// Handles due deadlines, then `input`.
    func handle(_ input: ClientCore.Input, at now: Instant) -> [ClientCore.Output] {
        let due = core.advance(to: now)
        let outputs = core.handle(input, at: now)
        return due.isEmpty ? outputs : due + outputs
    }

    /// Maps an output of the SDK to an input of the load test; nil if there is none.
    static func meaning(of output: ClientCore.Output) -> LoadCore.Input? {
        switch output {
        case .notify(.event(let event)):
            switch event {
            case .sessionStart: .opened
            case .messageConfirmed: .echoed
            case .messageFailed: .undelivered
            case .agentMessageChunk: .worded
            case .agentMessage, .liveAgentMessage: .replied
            case .sessionEnd: .ended
            default: nil
            }
        case .notify(.status(.failed(let reason))): .failed(reason?.log ?? "no reason given")
        case .notify(.status(.closed)): .ended
        // A text that is refused at once has no draft, so no other event reports it.
        case .finished(_, .message(.payloadTooLarge)): .undelivered
        default: nil
        }
    }

    /// Returns the error in a response to `request`, or nil if it is correct.
    static func fault(in answer: ClientCore.Input, to request: String) -> LoadError? {
        switch answer {
        case .restEnded(_, .answered(let status, _, _)):
            200..<300 ~= status ? nil : .refused(request: request, status: status)
        case .restEnded(_, .failed(let fault)), .socketFailed(_, let fault): error(fault, request)
        case .socketClosed(_, let event): .closed(code: event.code)
        default: nil
        }
    }

    private static func error(_ fault: TransportFault, _ request: String) -> LoadError {
        switch fault {
        case .network(let text), .protocolViolation(let text):
            .unanswered(request: request, reason: String(text.prefix(LoadLimits.errorText)))
        case .refused(let status, _): .refused(request: request, status: status)
        }
    }
}
