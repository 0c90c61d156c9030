import Clocks
import PolyMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Lies between one chat and its network: keeps what arrives, and cuts the connection where a run wants it cut.
final class SweepTap: HTTPTransport, SocketDialing {
    private let tap: NetworkTap
    private let course: CutCourse
    private let flaw: SweepFlaw?
    private let dials = Locked(0)
    /// Of ``SweepFlaw/losesBehindFaults``: whether the next reply is lost, and what is.
    private let mistake = Locked((isDue: false, lost: Set<String>()))

    init(_ tap: NetworkTap, _ course: CutCourse, _ flaw: SweepFlaw?) {
        self.tap = tap
        self.course = course
        self.flaw = flaw
    }

    func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void) {
        tap.post(call, completion: completion)
    }

    func dial(_ url: URL, report: @escaping @Sendable (SocketReport) -> Void) -> any DialledSocket {
        let isAgain = dials.withLock { dials in
            dials += 1
            return dials > 1
        }
        return tap.dial(flaw?.address(url) ?? url) { [weak self] news in
            guard let self, case .text(let bytes) = news else { return report(news) }
            self.take(bytes, report)
            if isAgain, self.flaw == .repeatsLastReply { self.repeatLastReply(report) }
        }
    }

    private func take(_ bytes: [UInt8], _ report: @Sendable (SocketReport) -> Void) {
        let fault = course.take(bytes)
        if let fault, flaw == .losesBehindFaults, !fault.cutsConnection {
            mistake.withLock { $0.isDue = true }
        }
        for message in messages(bytes, fault) { report(.text(message)) }
        if fault?.cutsConnection == true { tap.cutAll() }
    }

    private func messages(_ bytes: [UInt8], _ fault: Interruption?) -> [[UInt8]] {
        switch fault?.kind {
        case nil: surviving(bytes).map { [$0] } ?? []
        case .cut?: [bytes]
        case .lose?, .skip?: []
        case .spoil?: [FrameFault.spoilt(bytes)]
        case .halve?: [FrameFault.halved(bytes)]
        case .double?: [bytes, bytes]
        }
    }

    /// The message without the events that the planted client has lost for good.
    private func surviving(_ bytes: [UInt8]) -> [UInt8]? {
        mistake.withLock { mistake in
            if mistake.isDue, SweepText.isReply(bytes) {
                mistake.isDue = false
                mistake.lost.formUnion(FrameFault.ids(bytes))
            }
            return mistake.lost.isEmpty ? bytes : FrameFault.without(mistake.lost, bytes)
        }
    }

    private func repeatLastReply(_ report: @Sendable (SocketReport) -> Void) {
        let isFirst = dials.withLock { dials in
            defer { if dials == 2 { dials += 1 } }
            return dials == 2
        }
        guard isFirst, let last = course.arrived.last(where: SweepText.isReply) else { return }
        report(.text(SweepFlaw.withOtherID(last)))
    }
}
