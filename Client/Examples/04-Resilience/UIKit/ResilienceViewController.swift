// This file was type-checked only: it has never run on an Apple device.
import ChatViews
import Combine
import PolyMessaging
import UIKit

/// Placeholders until the connection is open, then the screen of ChatViews. A failure before that has its own screen.
final class ResilienceViewController: UIViewController {
    private let session = PolyMessaging.chat()
    private let network = NetworkMonitor()
    private let offline = UILabel()
    private let skeleton = LoadingSkeletonView()
    private var subscriptions = Set<AnyCancellable>()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        offline.text = "No network"
        offline.textAlignment = .center
        let column = UIStackView(arrangedSubviews: [offline, skeleton])
        column.axis = .vertical
        column.frame = view.bounds
        column.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(column)
        network.$isOffline.receive(on: RunLoop.main)
            .sink { [weak self] in self?.offline.isHidden = !$0 }
            .store(in: &subscriptions)
        session.$isReady.receive(on: RunLoop.main)
            .sink { [weak self] isReady in
                self?.skeleton.show(!isReady)
                if isReady { self?.open() }
            }
            .store(in: &subscriptions)
        session.$failureReason.receive(on: RunLoop.main)
            .sink { [weak self] in if let reason = $0 { self?.fail(reason) } }
            .store(in: &subscriptions)
    }

    /// Presents the chat in place of a failure, unless the chat is already presented.
    private func open() {
        if presentedViewController is ErrorViewController { dismiss(animated: false) }
        guard presentedViewController == nil else { return }
        present(ChatViewController(session: session), animated: true)
    }

    /// Presents a failure, unless the chat is presented: the chat shows its own failures.
    private func fail(_ reason: PolyError) {
        guard presentedViewController == nil else { return }
        let client = session.client
        let screen = ErrorViewController(reason: reason) { [weak self] in
            self?.dismiss(animated: true)
            Task { try? await client.resume() }
        }
        present(screen, animated: true)
    }
}
