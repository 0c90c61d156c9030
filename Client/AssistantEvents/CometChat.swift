public import AgentRuns
import Clocks
import Dispatch
import Texts

/// Listener of events streamed while an agent works.
public protocol AIAssistantEventsDelegate: AnyObject {
    /// Receives an event, in the class of its type.
    func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent)
}

/// Listener of stored messages, which follow the end of a run. All methods are optional.
public protocol CometChatMessageDelegate: AnyObject {
    /// Receives a whole reply.
    func onAIAssistantMessageReceived(_ aiAssistantMessage: AIAssistantMessage)
    /// Receives the answer of a tool.
    func onAIToolResultMessageReceived(_ aiToolResultMessage: AIToolResultMessage)
    /// Receives the calls of one turn.
    func onAIToolArgumentsMessageReceived(_ aiToolArgumentMessage: AIToolArgumentMessage)
}

extension CometChatMessageDelegate {
    /// The default implementation does nothing.
    public func onAIAssistantMessageReceived(_ aiAssistantMessage: AIAssistantMessage) {}
    /// The default implementation does nothing.
    public func onAIToolResultMessageReceived(_ aiToolResultMessage: AIToolResultMessage) {}
    /// The default implementation does nothing.
    public func onAIToolArgumentsMessageReceived(_ aiToolArgumentMessage: AIToolArgumentMessage) {}
}

/// The entry of an app that was written after CometChat's guide to AI agents: change its import to this module.
///
/// Listeners receive the runs of agents (``addAgentRuns(_:_:firstID:)``) and frames (``receive(_:)``), on the main queue of Apple
/// systems and on one serial queue elsewhere. They are held weakly. The names are those of the guide; login, requests and the
/// socket of that platform are not here.
///
/// ```swift
/// let center = AgentRunCenter()
/// CometChat.addAgentRuns("desk", center)
/// let thread = AGUIThread(agent: AGUIAgent(configuration: configuration, center: center), threadID: "thread-1")
/// _ = try await thread.send("Are you open on Sunday?")
/// ```
public enum CometChat {
    /// Access to listeners is confined to the queue, so locks are never contended.
    private struct Listeners {
        var events: [String: Locked<WeakEvents>] = [:]
        var messages: [String: Locked<WeakMessages>] = [:]
        var runs: [String: AssistantRuns] = [:]
    }

    private struct WeakEvents {
        weak var delegate: (any AIAssistantEventsDelegate)?
    }

    private struct WeakMessages {
        weak var delegate: (any CometChatMessageDelegate)?
    }

    private static let listeners = Locked(Listeners())

    private static let queue: DispatchQueue = {
        #if canImport(Darwin)
            .main
        #else
            DispatchQueue(label: "AssistantEvents")
        #endif
    }()

    /// Notifies `delegate`, which is held weakly, of streamed events. It replaces a listener of the same name.
    public static func addAIAssistantListener(_ id: String, _ delegate: any AIAssistantEventsDelegate) {
        let held = Locked(WeakEvents())
        held.withLock { $0.delegate = delegate }
        listeners.withLock { $0.events[id] = held }
    }

    /// Removes the listener of a name.
    public static func removeAIAssistantListener(_ id: String) {
        listeners.withLock { $0.events[id] = nil }
    }

    /// Notifies `delegate`, which is held weakly, of stored messages. It replaces a listener of the same name.
    public static func addMessageListener(_ id: String, _ delegate: any CometChatMessageDelegate) {
        let held = Locked(WeakMessages())
        held.withLock { $0.delegate = delegate }
        listeners.withLock { $0.messages[id] = held }
    }

    /// Removes the listener of a name.
    public static func removeMessageListener(_ id: String) {
        listeners.withLock { $0.messages[id] = nil }
    }

    /// Feeds the listeners with the runs of agents: each event as it arrives, and the stored messages after the end of a run.
    ///
    /// The reply of a run that has failed, or ended early, has no text and an element of type `error`.
    ///
    /// - Parameters:
    ///   - id: a name for it. A center that has the name is replaced.
    ///   - center: the center that the agents were given.
    ///   - firstID: the number of the first run. Later runs and stored messages have the numbers that follow.
    public static func addAgentRuns(_ id: String, _ center: AgentRunCenter, firstID: Int = 1) {
        let runs = AssistantRuns(firstID: firstID)
        listeners.withLock { $0.runs[id] = runs }
        center.addListener("CometChat \(id)", runs)
    }

    /// Removes the center of a name.
    public static func removeAgentRuns(_ id: String) {
        listeners.withLock { $0.runs[id] = nil }
    }

    /// Decodes one frame of the message socket, `{"type":"streamed_message","body":{…}}` or `"message"` for a
    /// stored one, and notifies the listeners. False for other input, which is ignored.
    @discardableResult
    public static func receive(_ frame: String) -> Bool {
        guard let value = try? JSONReader.read(Array(frame.utf8), manner: .lenient),
            let body = value["body"]?.object
        else {
            return false
        }
        switch value["type"]?.string {
        case "streamed_message": deliver(event: body)
        case "message" where body["category"]?.string == "agentic": deliver(message: body)
        default: return false
        }
        return true
    }

    /// Returns when all listeners have received all earlier events.
    package static func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    static func deliver(event body: JSONObject) {
        queue.async {
            let all = listeners.withLock { $0.events.sorted { $0.key < $1.key }.map(\.value) }
            let event = AIAssistantBaseEvent.make(Fields(body))
            for held in all { held.withLock { $0.delegate?.onAIAssistantEventReceived(event) } }
        }
    }

    static func deliver(message body: JSONObject) {
        queue.async {
            let all = listeners.withLock { $0.messages.sorted { $0.key < $1.key }.map(\.value) }
            let fields = Fields(body)
            for held in all { held.withLock { $0.delegate?.deliver(fields) } }
        }
    }
}

extension CometChatMessageDelegate {
    fileprivate func deliver(_ message: Fields) {
        switch message.text("type") {
        case "assistant": onAIAssistantMessageReceived(AIAssistantMessage(message))
        case "tool-result": onAIToolResultMessageReceived(AIToolResultMessage(message))
        case "tool-arguments": onAIToolArgumentsMessageReceived(AIToolArgumentMessage(message))
        default: break
        }
    }
}
