import Clocks
import PolyMessaging

/// One user, with a client core of the SDK. A class, because copying the large core would be slow.
final class LoadUser {
    /// The slot, and a number unique among the slot's users.
    struct ID: Hashable, Sendable {
        var slot: Int
        var number: Int
    }

    let id: ID
    var core: ClientCore
    /// Numbers of the open connection attempts.
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

    /// The core's next deadline, read through an `inout` parameter, because another module's getter would copy the
    /// core.
    var nextDeadline: Instant? { Self.deadline(of: &core) }

    private static func deadline(of core: inout ClientCore) -> Instant? { core.nextDeadline }

    func handle(_ input: ClientCore.Input, at now: Instant) -> [ClientCore.Output] {
        let due = core.advance(to: now)
        let outputs = core.handle(input, at: now)
        return due.isEmpty ? outputs : due + outputs
    }

    /// Converts an output of the SDK; nil if it does not concern the test.
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
        // A text that is too large never becomes a draft. Only this output reports it.
        case .finished(_, .message(.payloadTooLarge)): .undelivered
        default: nil
        }
    }

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
