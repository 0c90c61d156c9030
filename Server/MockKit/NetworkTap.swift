import Clocks
package import PolyMessaging
import Texts

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Stands between the SDK and its network: answers requests itself, refuses upgrades, cuts connections.
package final class NetworkTap: HTTPTransport, SocketDialing {
    private struct State {
        /// What happens to the next requests to a path that ends so; nil passes one on.
        var fates: [String: [RequestFate?]] = [:]
        /// Faults for the next dials; nil passes one on.
        var faults: [TransportFault?] = []
        /// Asked with the running number of each inbound text; true cuts the connection instead of delivering it.
        var cuts: @Sendable (Int) -> Bool = { _ in false }
        /// The texts that arrive in place of an inbound text: none, a damaged one, several.
        var alters: @Sendable ([UInt8]) -> [[UInt8]] = { [$0] }
        /// True for an outbound text that gets lost together with its connection.
        var swallows: @Sendable (Int) -> Bool = { _ in false }
        /// True for an outbound text that gets lost although its connection lives.
        var loses: @Sendable (String) -> Bool = { _ in false }
        var received = 0
        var sent: [String] = []
        var dialled: [URL] = []
        var requested: [String] = []
        var live: [TappedSocket] = []
    }

    package enum RequestFate: Sendable {
        /// It does not arrive.
        case answered(RESTReply)
        /// It arrives, and its answer is lost.
        case replaced(RESTReply)
    }

    private let network: any HTTPTransport & SocketDialing
    private let state = Locked(State())

    package init(_ network: any HTTPTransport & SocketDialing) {
        self.network = network
    }

    // MARK: Orders

    package func answer(_ path: String, with replies: [RESTReply?]) {
        decide(path, replies.map { reply in reply.map { .answered($0) } })
    }

    package func decide(_ path: String, _ fates: [RequestFate?]) {
        state.withLock { $0.fates[path, default: []] += fates }
    }

    package func refuseDials(with faults: [TransportFault?]) {
        state.withLock { $0.faults += faults }
    }

    package func cutInbound(when cuts: @escaping @Sendable (Int) -> Bool) {
        state.withLock { $0.cuts = cuts }
    }

    package func alterInbound(_ alters: @escaping @Sendable ([UInt8]) -> [[UInt8]]) {
        state.withLock { $0.alters = alters }
    }

    package func cutOutbound(when swallows: @escaping @Sendable (Int) -> Bool) {
        state.withLock { $0.swallows = swallows }
    }

    package func loseOutbound(when loses: @escaping @Sendable (String) -> Bool) {
        state.withLock { $0.loses = loses }
    }

    /// What the next dial meets.
    func takeFault() -> TransportFault? {
        state.withLock { $0.faults.isEmpty ? nil : $0.faults.removeFirst() }
    }

    /// Ends every connection as a lost network would.
    package func cutAll() {
        let live = state.withLock { state in
            defer { state.live = [] }
            return state.live
        }
        for socket in live { socket.cut() }
    }

    // MARK: What happened

    package var dialled: [URL] { state.withLock { $0.dialled } }
    package var requested: [String] { state.withLock { $0.requested } }
    /// Every text that left, with its connection or not.
    package var sent: [String] { state.withLock { $0.sent } }
    package var receivedCount: Int { state.withLock { $0.received } }

    package func sent(_ type: String) -> [String] {
        sent.filter { SweepText.types(of: Array($0.utf8)) == [type] }
    }

    // MARK: Transport

    package func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void) {
        let path = call.url.lastPathComponent
        let fate = state.withLock { state -> RequestFate? in
            state.requested.append(path)
            guard state.fates[path]?.isEmpty == false else { return nil }
            return state.fates[path]?.removeFirst()
        }
        switch fate {
        case .answered(let reply): completion(reply)
        case .replaced(let reply): network.post(call) { _ in completion(reply) }
        case nil: network.post(call, completion: completion)
        }
    }

    package func dial(_ url: URL, report: @escaping @Sendable (SocketReport) -> Void) -> any DialledSocket {
        state.withLock { $0.dialled.append(url) }
        let fault = takeFault()
        let socket = TappedSocket(tap: self, report: report)
        if let fault {
            report(.failed(fault))
            return socket
        }
        // Known before it is dialled: the network may report, and the connection be cut, before this thread continues.
        state.withLock { $0.live.append(socket) }
        socket.attach(network.dial(url) { [weak self] news in self?.took(news, socket) })
        return socket
    }

    private func took(_ news: SocketReport, _ socket: TappedSocket) {
        guard case .text(let bytes) = news else { return socket.tell(news) }
        let (number, cuts, alters) = state.withLock { state in
            state.received += 1
            return (state.received, state.cuts, state.alters)
        }
        if cuts(number) { return socket.cut() }
        let messages = alters(bytes)
        // The network reads on when what it reported was dealt with.
        if messages.isEmpty { socket.taken(bytes.count) }
        for message in messages { socket.tell(.text(message)) }
    }

    fileprivate enum Fate {
        case leaves
        case isLost
        case isLostWithConnection
    }

    fileprivate func fate(of text: [UInt8]) -> Fate {
        let text = String(decoding: text, as: UTF8.self)
        let (number, swallows, loses) = state.withLock { state in
            state.sent.append(text)
            return (state.sent.count, state.swallows, state.loses)
        }
        if swallows(number) { return .isLostWithConnection }
        return loses(text) ? .isLost : .leaves
    }
}

/// A connection that can be cut.
private final class TappedSocket: DialledSocket {
    private struct State {
        var socket: (any DialledSocket)?
        var isOver = false
        /// Weak: the tap holds its sockets.
        weak var tap: NetworkTap?
    }

    private let report: @Sendable (SocketReport) -> Void
    private let state = Locked(State())

    init(tap: NetworkTap, report: @escaping @Sendable (SocketReport) -> Void) {
        self.report = report
        state.withLock { $0.tap = tap }
    }

    func attach(_ socket: any DialledSocket) {
        let isOver = state.withLock { state in
            state.socket = socket
            return state.isOver
        }
        // News can come, and the connection be cut, before dialling has returned.
        if isOver { socket.close(code: 1006, reason: "") }
    }

    func tell(_ news: SocketReport) {
        if !state.withLock({ $0.isOver }) { report(news) }
    }

    func cut() {
        let (isFirst, socket) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.socket)
        }
        guard isFirst else { return }
        socket?.close(code: 1006, reason: "")
        report(.closed(ConnectionCloseEvent(code: 1006, reason: "cut", wasClean: false)))
    }

    func send(_ text: [UInt8]) {
        guard let socket = state.withLock({ $0.isOver ? nil : $0.socket }) else { return }
        switch state.withLock({ $0.tap })?.fate(of: text) ?? .leaves {
        case .leaves: socket.send(text)
        case .isLost: break
        case .isLostWithConnection: cut()
        }
    }

    func sendBinary(_ bytes: [UInt8]) {
        state.withLock { $0.socket }?.sendBinary(bytes)
    }

    func taken(_ byteCount: Int) {
        state.withLock { $0.socket }?.taken(byteCount)
    }

    func close(code: Int, reason: String) {
        state.withLock { $0.socket }?.close(code: code, reason: reason)
    }
}
