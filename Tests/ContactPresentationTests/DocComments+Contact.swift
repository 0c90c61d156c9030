import ChatPresentation
import ConnectCore
import ContactPresentation

/// The examples in the doc comments of `ContactPresentation`, word for word; `DocPagesTests` compares. Nothing here runs.
enum ContactDocComments {
    // swift-format-ignore
    static func reader(_ session: ChatSession, at now: Int64) async {
        var chat = ChatModel()
        var reader = ContactReader()
        for await event in session.events {              // of a ChatSession of ConnectChat
            for action in reader.read(event) { _ = chat.apply(action, at: now) }
        }
    }

    // swift-format-ignore
    static func source(_ session: ChatSession) -> ContactSource {
        let source = ContactSource(session)              // a ChatSession of ConnectChat
        return source
    }
}
