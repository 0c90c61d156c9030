public import AgentRuns
import Clocks
import Dispatch
import Texts

/// Listener to the events of a run.
public protocol AIAssistantEventsDelegate: AnyObject {
    /// Receives an event, whose class depends on its type.
    func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent)
}

/// Listener to the messages that are stored after a run. All methods are optional.
public protocol CometChatMessageDelegate: AnyObject {
    func onAIAssistantMessageReceived(_ aiAssistantMessage: AIAssistantMessage)
    func onAIToolResultMessageReceived(_ aiToolResultMessage: AIToolResultMessage)
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

/// Entry point for apps that follow CometChat's guide to AI agents and import this module instead of CometChat's SDK.
/// Listeners receive agent runs (``addAgentRuns(_:_:firstID:)``) and socket frames (``receive(_:)``). Listeners are
/// held weakly, and called on the main queue on Apple platforms, on one serial queue elsewhere. Login, requests and
/// CometChat's socket are not included.
///
/// ```swift
/// let center = AgentRunCenter()
/// CometChat.addAgentRuns("desk", center)
/// let thread = AGUIThread(agent: AGUIAgent(configuration: configuration, center: center), threadID: "thread-1")
/// _ = try await thread.send("Are you open on Sunday?")
/// ```
public enum CometChat {
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

    /// Adds a listener to streamed events, in place of an earlier listener with this id. Listeners are held weakly.
    public static func addAIAssistantListener(_ id: String, _ delegate: any AIAssistantEventsDelegate) {
        let held = Locked(WeakEvents())
        held.withLock { $0.delegate = delegate }
        listeners.withLock { $0.events[id] = held }
    }

    /// Removes the listener with this id.
    public static func removeAIAssistantListener(_ id: String) {
        listeners.withLock { $0.events[id] = nil }
    }

    /// Adds a listener to stored messages, in place of an earlier listener with this id. Listeners are held weakly.
    public static func addMessageListener(_ id: String, _ delegate: any CometChatMessageDelegate) {
        let held = Locked(WeakMessages())
        held.withLock { $0.delegate = delegate }
        listeners.withLock { $0.messages[id] = held }
    }

    /// Removes the listener with this id.
    public static func removeMessageListener(_ id: String) {
        listeners.withLock { $0.messages[id] = nil }
    }

    /// Sends the runs of agents to the listeners. Events are sent as they arrive, but all arguments of a tool call in
    /// one event. The stored messages follow after the run.
    ///
    /// The reply of a run that failed or ended early has no text, but an element of the type `error`.
    ///
    /// - Parameters:
    ///   - id: The id of this registration, which replaces an earlier registration with the same id.
    ///   - center: The center that the agents use.
    ///   - firstID: The number of the first run. Later runs and stored messages get the following numbers.
    public static func addAgentRuns(_ id: String, _ center: AgentRunCenter, firstID: Int = 1) {
        let runs = AssistantRuns(firstID: firstID)
        listeners.withLock { $0.runs[id] = runs }
        center.addListener("CometChat \(id)", runs)
    }

    /// Removes the registration with this id.
    public static func removeAgentRuns(_ id: String) {
        listeners.withLock { $0.runs[id] = nil }
    }

    /// Decodes one socket frame and notifies the listeners. An event is `{"type":"streamed_message","body":{…}}`; a
    /// stored message has the type `"message"`, and its body the category `"agentic"`. Returns false for any other
    /// frame.
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

    /// Returns when all listeners have received all events that were sent before the call.
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
