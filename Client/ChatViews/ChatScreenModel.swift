// This file was type-checked only: it has never run on an Apple device.
#if canImport(Combine)
    import ChatPresentation
    import Combine
    import Foundation
    import PolyMessaging

    /// View model of a `ChatSession`: the rows of ChatPresentation, kept up to date, and the actions of the user.
    @MainActor
    final class ChatScreenModel: ObservableObject {
        let session: ChatSession
        let strings: ChatStrings
        private(set) var chat: ChatModel
        private(set) var follow = ScrollFollow()
        /// For views that patch their rows.
        var change: (RowChange) -> Void = { _ in }
        /// Announces a text to the screen reader.
        var announce: (String) -> Void = { _ in }
        private var listening: Task<Void, Never>?
        private var timer: Task<Void, Never>?

        init(_ session: ChatSession, strings: ChatStrings = ChatStrings()) {
            self.session = session
            self.strings = strings
            var options = ChatModel.Options()
            options.secondsFromUTC = { TimeZone.current.secondsFromGMT(for: Date(milliseconds: $0)) }
            chat = ChatModel(options: options)
            let events = session.client.events
            listening = Task { [weak self] in
                for await event in events {
                    if let action = ChatAction(event) { self?.apply(action) }
                }
            }
        }

        func stop() {
            listening?.cancel()
            timer?.cancel()
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

        /// The draft's own id: a message that failed has no other.
        func retry(_ message: RowMessage) {
            let session = session
            apply(.remove(id: message.id))
            Task { try? await session.retry(draftId: message.id) }
        }

        func delete(_ message: RowMessage) {
            apply(.remove(id: message.id))
            session.removeMessage(draftId: message.id)
        }

        func startNew() {
            chat = ChatModel(options: chat.options)
            session.clearChat()
            let session = session
            Task { try? await session.client.startNewSession() }
            objectWillChange.send()
        }

        var now: Milliseconds { Milliseconds(Date().timeIntervalSince1970 * 1_000) }

        /// The words of a time divider: the day as people name it, and the time.
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
