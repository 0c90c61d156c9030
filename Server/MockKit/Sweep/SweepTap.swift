import Clocks
import PolyMessaging
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Lies between one chat and its network: keeps what arrives, and cuts the connection where a run wants it cut.
final class SweepTap: HTTPTransport, SocketDialing {
    private struct State {
        var cuts: [Int: Interruption]
        var arrived: [[UInt8]] = []
        var struck = 0
        var dials = 0
    }

    private let tap: NetworkTap
    private let flaw: SweepFlaw?
    private let state: Locked<State>

    init(_ tap: NetworkTap, cuts: [Interruption], flaw: SweepFlaw?) {
        self.tap = tap
        self.flaw = flaw
        state = Locked(
            State(cuts: Dictionary(cuts.map { ($0.message, $0) }, uniquingKeysWith: { first, _ in first })))
    }

    /// Every message that came this far, lost ones included.
    var arrived: [[UInt8]] { state.withLock { $0.arrived } }
    /// How many interruptions happened.
    var struck: Int { state.withLock { $0.struck } }

    func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void) {
        tap.post(call, completion: completion)
    }

    func dial(_ url: URL, report: @escaping @Sendable (SocketReport) -> Void) -> any DialledSocket {
        let isAgain = state.withLock { state in
            state.dials += 1
            return state.dials > 1
        }
        return tap.dial(flaw?.address(url) ?? url) { [weak self] news in
            guard let self, case .text(let bytes) = news else { return report(news) }
            self.take(bytes, report)
            if isAgain, self.flaw == .repeatsLastReply { self.repeatLastReply(report) }
        }
    }

    private func take(_ bytes: [UInt8], _ report: @Sendable (SocketReport) -> Void) {
        let cut = state.withLock { state -> Interruption? in
            state.arrived.append(bytes)
            guard let cut = state.cuts[state.arrived.count] else { return nil }
            state.struck += 1
            return cut
        }
        if cut?.isLost != true { report(.text(bytes)) }
        if cut != nil { tap.cutAll() }
    }

    private func repeatLastReply(_ report: @Sendable (SocketReport) -> Void) {
        let last = state.withLock { state -> [UInt8]? in
            guard state.dials == 2 else { return nil }
            state.dials += 1
            return state.arrived.last { SweepText.types(of: $0).contains { $0.hasSuffix("AGENT_MESSAGE") } }
        }
        guard let last else { return }
        // Other ids: what is told twice by one id is dropped by every client that knows its ids at all.
        let text = String(decoding: last, as: UTF8.self)
            .pieces(between: "\"id\":\"0").joined(separator: "\"id\":\"f")
            .pieces(between: "\"msg_").joined(separator: "\"msg_again")
        report(.text(Array(text.utf8)))
    }
}
