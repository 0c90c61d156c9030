// This file was type-checked only: it has never run on an Apple device.
#if canImport(Combine)
    import ChatPresentation
    import ClientSupport
    import Combine
    import Foundation

    /// View model of a chat screen: applies the actions of a ``ChatSource`` to a ``ChatModel``, and passes the user's
    /// commands to the source.
    @MainActor
    final class ChatScreenModel: ObservableObject {
        let source: any ChatSource
        let strings: ChatStrings
        private(set) var chat: ChatModel
        private(set) var follow = ScrollFollow()
        private(set) var pages = EarlierPages()
        private(set) var purpose = DraftPurpose.message
        private(set) var detailed: ChatRow?
        var change: (RowChange) -> Void = { _ in }
        var announce: (String) -> Void = { _ in }
        private(set) var state: ScreenState
        var stateChange: () -> Void = {}
        /// Called when the auto-scroll state changes, for UIKit.
        var followChange: () -> Void = {}
        private var status = SourceStatus(.connecting)
        private var isOffline = false
        private var listening: Task<Void, Never>?
        private var network: MonitorSubscription?
        private var timer: Task<Void, Never>?

        init(_ source: any ChatSource, strings: ChatStrings = .system) {
            self.source = source
            self.strings = strings
            var options = ChatModel.Options()
            options.secondsFromUTC = { TimeZone.current.secondsFromGMT(for: Date(milliseconds: $0)) }
            chat = ChatModel(options: options)
            state = ScreenState(chat, status)
        }

        func start() {
            guard listening == nil else { return }
            let following = source.follow()
            take(following)
            listening = Task { [weak self] in
                for await _ in following.news {
                    guard let self else { return }
                    self.take(following)
                }
            }
            let monitor = PathNetworkMonitor.shared
            network = monitor.subscribe { [weak self] isReachable in
                Task { @MainActor in self?.watch(isOffline: !isReachable) }
            }
            watch(isOffline: !monitor.isReachable)
        }

        private func take(_ following: ScreenFollowing) {
            for action in following.take() { apply(action) }
            status = following.status
            refresh()
        }

        func stop() {
            for task in [listening, timer] { task?.cancel() }
            (listening, timer) = (nil, nil)
            network = nil
        }

        private func watch(isOffline: Bool) {
            self.isOffline = isOffline
            refresh()
        }

        private func refresh() {
            let new = ScreenState(chat, status, isOffline: isOffline)
            guard new != state else { return }
            objectWillChange.send()
            state = new
            stateChange()
        }

        func apply(_ action: ChatAction) {
            objectWillChange.send()
            for effect in chat.apply(action, at: now) {
                switch effect {
                case .rows(let change): self.change(change)
                case .announce(let words): announce(strings.text(of: words))
                case .send: break  // the SDK sends
                }
            }
            refresh()
            timer?.cancel()
            guard let next = chat.nextDeadline(after: now) else { return }
            let wait = UInt64(max(1, next - now)) * 1_000_000
            timer = Task { [weak self] in
                try? await Task.sleep(nanoseconds: wait)
                if !Task.isCancelled { self?.apply(.tick) }
            }
        }

        func scrolled(_ event: ScrollFollow.Event) {
            let before = follow
            let action = follow.take(event)
            if follow != before {
                objectWillChange.send()
                followChange()
            }
            if let action { apply(action) }
        }

        /// Scrolls to a message that has a row.
        func scroll(to messageID: String) {
            if let row = chat.rowID(ofMessage: messageID) { scrolled(.wentTo(row: row)) }
        }

        /// URL of the picture of the last speaker other than the user.
        var typingAvatar: URL? {
            let message = chat.rows.last { $0.message.map { $0.speaker != .user } ?? false }?.message
            return message?.avatar.flatMap { URL(string: $0) }
        }

        private func execute(_ command: ChatCommand) {
            let source = source
            Task { try? await source.execute(command) }
        }

        func send(_ text: String, payload: String? = nil) {
            scrolled(.wentToEnd)
            execute(purpose.command(text: text, payload: payload))
            write(.message)
        }

        func write(_ purpose: DraftPurpose) {
            objectWillChange.send()
            self.purpose = purpose
            stateChange()
        }

        func show(details row: ChatRow?) {
            objectWillChange.send()
            detailed = row
            stateChange()
        }

        /// Executes an action of a message's menu, except copying.
        func choose(_ action: MessageAction, on message: RowMessage) {
            switch action {
            case .retry:
                // The id of a failed message is the id of its draft.
                apply(.remove(id: message.id))
                execute(.retry(id: message.id))
            case .delete:
                apply(.remove(id: message.id))
                execute(.remove(id: message.id))
            case .cancel: execute(.cancelFile(messageID: message.id))
            case .reply: write(.reply(message))
            case .edit: write(.edit(message))
            case .details: show(details: chat.rows.first { $0.message?.id == message.id })
            case .react:
                let isOn = !message.reactions.contains { $0.text == "👍" && $0.isOwn }
                execute(.change(messageID: message.id, .reaction("👍", isOn: isOn, by: .user)))
            case .unsend: execute(.change(messageID: message.id, .deleted))
            case .copy: break
            }
        }

        /// Loads older messages, if there are any.
        func reachedBeginning() {
            if pages.reachedBeginning(of: chat) { loadEarlier() }
        }

        func loadEarlierAgain() {
            if pages.retry(chat) { loadEarlier() }
        }

        private func loadEarlier() {
            let source = source
            Task { [weak self] in
                var isLoaded = true
                do { try await source.execute(.loadEarlier) } catch { isLoaded = false }
                self?.objectWillChange.send()
                self?.pages.ended(isLoaded: isLoaded)
            }
        }

        func typed() { execute(.typing) }

        /// Executes the command of the failure view's button.
        func recover() {
            if let command = state.recovery { execute(command) }
        }

        func startNew() { execute(.startNew) }

        /// Ends the conversation, if it can be ended.
        func end() {
            guard state.canEnd else { return }
            apply(.end)
            execute(.end)
        }

        var now: Milliseconds { Milliseconds(Date().timeIntervalSince1970 * 1_000) }

        func divider(_ at: Milliseconds) -> String {
            strings.divider(
                at,
                age: DayAge(
                    of: at, seenFrom: chat.serverTime(at: now), secondsFromUTC: chat.options.secondsFromUTC))
        }
    }
#endif
