import ChatPresentation
import PolyMessaging

/// The examples in the doc comments of `ChatPresentation`, word for word; `DocPagesTests` compares. Nothing here runs.
enum ChatDocComments {
    struct Field { var text = "" }
    struct Button { var isEnabled = false }

    static func composer(_ field: Field, _ chat: ChatModel, _ sendButton: inout Button) {
        let box = Composer(text: field.text, canSend: chat.ending == nil)
        sendButton.isEnabled = box.state == .ready
    }

    static func event() -> ChatEvent {
        let hello = ChatEvent(
            id: "e1", sequence: 4, at: 1_768_469_400_000,
            .message(.init(id: "m1", text: "Hello **there**", name: "Ada"), from: .agent))
        return hello
    }

    // swift-format-ignore
    static func model(_ history: [MessagingEvent], at now: Milliseconds, draw: (ChatRow) -> Void) {
        var chat = ChatModel()
        for event in history {                     // [MessagingEvent] of the SDK
            if let action = ChatAction(event) { _ = chat.apply(action, at: now) }
        }
        for row in chat.rows { draw(row) }
    }

    // swift-format-ignore
    static func strings(_ german: ChatStrings.Pack) {
        let strings = ChatStrings(language: "de", packs: [german])     // ChatStrings.Pack(json:), a file of the app
        print(strings.say("typing.one", ["name": "Ada"]))              // Ada schreibt
    }

    static func text() -> Bool {
        MessageText.parse("Hello **there**") == [.paragraph([.text("Hello "), .strong([.text("there")])])]
    }

    // swift-format-ignore
    static func reader(_ chunks: [String], show: ([MessageText.Block]) -> Void) {
        var reader = MessageTextReader()
        var text = ""
        for chunk in chunks {
            text += chunk
            show(reader.read(text, isOpen: true))
        }
        show(reader.read(text))                     // the same as MessageText.parse(text)
    }

    static func follow(_ chat: inout ChatModel, at now: Milliseconds, scrollToEnd: () -> Void) {
        var follow = ScrollFollow()
        if let action = follow.take(.settled(distance: 400)) { _ = chat.apply(action, at: now) }
        if follow.isFollowing { scrollToEnd() }
    }

    // swift-format-ignore
    static func image(_ address: String, fetch: (ImageLoad.Request) -> Void) {
        var load = ImageLoad()
        if let request = load.show(address) { fetch(request) }    // then load.finish(request, succeeded: true)
    }

    static func menu(_ message: RowMessage, _ source: ValueSource, _ strings: ChatStrings) {
        let menu = MessageMenu(message, offers: source.offers, own: [OwnAction(id: "pin", title: "Pin")])
        for entry in menu.entries { print(entry.title(strings)) }
    }

    // swift-format-ignore
    static func purpose(_ purpose: inout DraftPurpose, _ message: RowMessage, _ box: Composer, _ source: ValueSource)
        async throws
    {
        purpose = .edit(message)                                   // the field shows message.text
        try await source.execute(purpose.command(text: box.message))
    }

    static func action(_ chat: inout ChatModel, at now: Milliseconds) {
        let effects = chat.apply(.say(id: "draft-1", text: "a table, please"), at: now)
        for effect in effects { print(effect) }
    }

    static func row(_ row: ChatRow) {
        switch row.content {
        case .message(let message): print(message)
        case .notice(let notice): print(notice)
        }
    }

    static func history(_ chat: inout ChatModel, at now: Milliseconds) {
        let sent = ChatHistory.Entry.draft(id: "d1", text: "Hi", at: 1_768_469_400_000, .sent)
        _ = chat.apply(.fill(ChatHistory(entries: [sent], isOpen: true)), at: now)
    }

    // swift-format-ignore
    @MainActor
    static func source(_ session: ChatSession) -> MessagingSource {
        let source = MessagingSource(session.client)
        return source
    }

    // swift-format-ignore
    @MainActor
    static func follow(_ source: any ChatSource, _ chat: inout ChatModel, at now: Milliseconds) async {
        let following = source.follow()                           // on each appearance
        for await _ in following.news {
            for action in following.take() { _ = chat.apply(action, at: now) }
        }
    }

    static func state(_ chat: ChatModel, _ following: ScreenFollowing) {
        let state = ScreenState(chat, following.status)
        if case .failed(let failure) = state.cover { print(failure.text, failure.canResume) }
    }

    struct Backend: Sendable {
        func post(_ text: String) async throws {}
    }

    static func values(_ backend: Backend, _ messages: [ChatHistory.Entry]) {
        let source = ValueSource(offers: [.reply, .edit]) { command in
            if case .send(let text, _, _) = command { try await backend.post(text) }
        }
        source.show(ChatHistory(entries: messages, isOpen: true))  // each time that they change
    }

    static func pages(_ source: any ChatSource, _ chat: ChatModel) async {
        var pages = EarlierPages()
        if pages.reachedBeginning(of: chat) {
            do {
                try await source.execute(.loadEarlier)
                pages.ended(isLoaded: true)
            } catch {
                pages.ended(isLoaded: false)
            }
        }
    }

    static func change(_ chat: inout ChatModel, at now: Milliseconds) {
        let read = ChatEvent(id: "e9", sequence: 9, at: now, .changed(messageID: "m1", .receipt(.read)))
        _ = chat.apply(.event(read), at: now)
    }
}
