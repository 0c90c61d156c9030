/// Menu of one message: the chat's actions and the app's own actions, which come before "Details".
///
/// ```swift
/// let menu = MessageMenu(message, offers: source.offers, own: [OwnAction(id: "pin", title: "Pin")])
/// for entry in menu.entries { print(entry.title(strings)) }
/// ```
public struct MessageMenu: Equatable, Sendable {
    /// One entry of the menu.
    public enum Entry: Hashable, Sendable, Identifiable {
        case chat(MessageAction)
        case own(OwnAction)

        /// The id of the entry in its menu.
        public var id: String {
            switch self {
            case .chat(let action): action.rawValue
            case .own(let action): "own." + action.id
            }
        }

        /// The text of the entry.
        public func title(_ strings: ChatStrings) -> String {
            switch self {
            case .chat(let action): strings.say(action.key)
            case .own(let action): action.title
            }
        }

        /// Whether the entry deletes something; views show it in red.
        public var isDestructive: Bool {
            switch self {
            case .chat(let action): action == .delete || action == .unsend
            case .own(let action): action.isDestructive
            }
        }
    }

    /// The entries, top first.
    public let entries: [Entry]
    /// The entry of a swipe over the message: the first own action with `isSwipe`, else the reply, else nil.
    public let swipe: Entry?

    /// Makes the menu of a message. `own` are the app's actions; of actions with the same id, only the first is used.
    public init(_ message: RowMessage, offers: Set<MessageAction> = [], own: [OwnAction] = []) {
        var ids: Set<String> = []
        let own = own.filter { ids.insert($0.id).inserted }.map { Entry.own($0) }
        let actions = message.actions(offering: offers)
        let early = actions.filter { $0 != .details }.map { Entry.chat($0) }
        entries = early + own + (actions.contains(.details) ? [.chat(.details)] : [])
        let asking = own.first { if case .own(let action) = $0 { action.isSwipe } else { false } }
        swipe = asking ?? (actions.contains(.reply) ? .chat(.reply) : nil)
    }
}

/// Action of the app on a message, in the message's menu.
public struct OwnAction: Hashable, Sendable {
    /// The id, by which the app recognizes the action.
    public var id: String
    /// The text of the menu.
    public var title: String
    /// Whether the action removes something.
    public var isDestructive: Bool
    /// Whether a swipe over the message performs the action.
    public var isSwipe: Bool

    /// Makes an action.
    public init(id: String, title: String, isDestructive: Bool = false, isSwipe: Bool = false) {
        (self.id, self.title) = (id, title)
        (self.isDestructive, self.isSwipe) = (isDestructive, isSwipe)
    }
}
