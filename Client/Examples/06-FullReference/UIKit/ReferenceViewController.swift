// This file was type-checked only: it has never run on an Apple device.
import ChatPresentation
import ChatViews
import PolyMessaging
import UIKit

/// Start screen: continues the last conversation, or begins another one.
final class ReferenceViewController: UIViewController {
    private var pinned: String?

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let again = UIAction(title: "Continue") { [weak self] _ in self?.open(PolyMessaging.chat()) }
        let new = UIAction(title: "New conversation") { [weak self] _ in self?.open(PolyMessaging.start()) }
        let actions = PolyMessaging.hasResumableSession() ? [again, new] : [new]
        let column = UIStackView(arrangedSubviews: actions.map { UIButton(primaryAction: $0) })
        column.axis = .vertical
        column.frame = view.bounds
        column.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(column)
    }

    private func open(_ session: ChatSession) {
        let screen = ChatViewController(session: session)
        screen.theme.cornerRadius = 12
        screen.actions = { _ in
            [OwnAction(id: "pin", title: "Pin", isSwipe: true), OwnAction(id: "go", title: "Go to the pin")]
        }
        screen.perform = { [weak self, weak screen] action, message in
            if action.id == "pin" { self?.pinned = message.id }
            if action.id == "go", let pinned = self?.pinned { screen?.scroll(to: pinned) }
        }
        present(screen, animated: true)
    }
}
