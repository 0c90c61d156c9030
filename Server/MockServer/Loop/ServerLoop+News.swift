import Clocks
import ConversationEngine

/// What happens, for whoever watches from the same process.
extension ServerLoop {
    /// Tells the observer; without one, `news` is not asked for.
    func announce(_ news: () -> ServerNews) {
        guard let observer = configuration.observer else { return }
        observer(news(), clock.now)
    }

    /// Tells the observer about a session.
    func announce(of handle: SessionHandle, _ news: (String) -> ServerNews) {
        guard configuration.observer != nil, let wire = wire(of: handle) else {
            return
        }
        announce { news(wire.id) }
    }
}
