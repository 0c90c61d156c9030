// This file was type-checked only: it has never run on an Apple device.
#if canImport(Combine)
    import ChatPresentation
    import ClientSupport
    import Combine
    import Foundation
    import PolyMessaging

    /// View model of a `ChatSession`: the rows of ChatPresentation, and the actions of the user.
    @MainActor
    final class ChatScreenModel: ObservableObject {
        let session: ChatSession
        let strings: ChatStrings
        private(set) var chat: ChatModel
        private(set) var follow = ScrollFollow()
        /// Called with each changed row, for views that update single rows.
        var change: (RowChange) -> Void = { _ in }
        var announce: (String) -> Void = { _ in }
        /// The cover over the rows, such as a failure, and the banners above them.
        private(set) var state: ScreenState
        var stateChange: () -> Void = {}
        private let source: ScreenSource
        private var isOffline = false
        private var listening: Task<Void, Never>?
        private var watching: Task<Void, Never>?
        private var network: Subscription?
        private var timer: Task<Void, Never>?

        init(_ session: ChatSession, strings: ChatStrings = ChatStrings()) {
            self.session = session
            self.strings = strings
            var options = ChatModel.Options()
            options.secondsFromUTC = { TimeZone.current.secondsFromGMT(for: Date(milliseconds: $0)) }
            chat = ChatModel(options: options)
            state = ScreenState(
                chat, connection: session.connection, failure: session.failureReason)
            source = ScreenSource(session.client)
        }

        /// Applies all earlier events and follows later ones. Called when the screen appears.
        func start() {
            guard listening == nil else { return }
            let following = source.follow()
            for action in following.take() { apply(action) }
            listening = Task { [weak self] in
                for await _ in following.news {
                    guard let self else { return }
                    for action in following.take() { self.apply(action) }
                }
            }
            let session = session
            watching = Task { [weak self] in
                for await _ in session.changes {
                    guard let self else { return }
                    self.refresh()
                }
            }
            let monitor = PathNetworkMonitor.shared
            network = monitor.subscribe { [weak self] isReachable in
                Task { @MainActor in self?.watch(isOffline: !isReachable) }
            }
            watch(isOffline: !monitor.isReachable)
        }

        /// Stops following events until the next ``start()``. Called when the screen disappears.
        func stop() {
            for task in [listening, watching, timer] { task?.cancel() }
            (listening, watching, timer) = (nil, nil, nil)
            network = nil
        }

        private func watch(isOffline: Bool) {
            self.isOffline = isOffline
            refresh()
        }

        private func refresh() {
            let new = ScreenState(
                chat, connection: session.connection, failure: session.failureReason, isOffline: isOffline)
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
            if let action = follow.take(event) { apply(action) }
        }

        func send(_ text: String) {
            scrolled(.wentToEnd)
            let session = session
            Task { try? await session.send(text) }
        }

        /// Retries a failed message. The id of its row is the draft id.
        func retry(_ message: RowMessage) {
            let session = session
            apply(.remove(id: message.id))
            Task { try? await session.retry(draftId: message.id) }
        }

        func delete(_ message: RowMessage) {
            apply(.remove(id: message.id))
            session.removeMessage(draftId: message.id)
        }

        /// Handles the button of a failure: resumes the chat if possible, else starts a new one.
        func recover() {
            guard case .failed(_, canResume: true) = state.cover else { return startNew() }
            let session = session
            Task { try? await session.client.resume() }
        }

        func startNew() {
            let session = session
            Task {
                session.clearChat()
                try? await session.client.startNewSession()
            }
        }

        /// Ends the chat after the user has confirmed.
        func end() {
            guard state.canEnd else { return }
            apply(.end)
            let session = session
            Task { try? await session.end() }
        }

        var now: Milliseconds { Milliseconds(Date().timeIntervalSince1970 * 1_000) }

        /// Returns the text of a time divider: the day, in words if recent, and the time.
        func divider(_ at: Milliseconds) -> String {
            let age = DayAge(
                of: at, seenFrom: chat.serverTime(at: now), secondsFromUTC: chat.options.secondsFromUTC)
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: strings.language)
            switch age {
            case .today, .yesterday: return strings.say("divider." + age.rawValue) + " " + time(at)
            case .week: formatter.setLocalizedDateFormatFromTemplate("EEEE j:mm")
            case .year: formatter.setLocalizedDateFormatFromTemplate("MMMM d j:mm")
            case .old: formatter.setLocalizedDateFormatFromTemplate("MMMM d y j:mm")
            }
            return formatter.string(from: Date(milliseconds: at))
        }

        func time(_ at: Milliseconds) -> String {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: strings.language)
            formatter.setLocalizedDateFormatFromTemplate("j:mm")
            return formatter.string(from: Date(milliseconds: at))
        }
    }

    extension Date {
        init(milliseconds: Milliseconds) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
    }
#endif
