// This file was type-checked only: it has never run on an Apple device.
import ChatPresentation
import ChatViews
import Combine
import PolyMessaging
import UIKit

/// A conversation built from cells of ChatViews, with the features that most apps have.
final class StandardViewController: UIViewController, UITextFieldDelegate {
    private enum Row: Hashable {
        case message(UUID)
        case suggestions(UUID)
    }

    private let session = PolyMessaging.chat()
    private let banner = UILabel()
    private let table = UITableView()
    private let dots = TypingDotsView()
    private let field = UITextField()
    private var rows: UITableViewDiffableDataSource<Int, Row>?
    private var subscriptions = Set<AnyCancellable>()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        table.register(MessageCell.self, forCellReuseIdentifier: MessageCell.reuseID)
        table.register(SuggestionsCell.self, forCellReuseIdentifier: SuggestionsCell.reuseID)
        table.keyboardDismissMode = .interactive
        rows = UITableViewDiffableDataSource(tableView: table) { [weak self] table, place, row in
            self?.cell(row, in: table, at: place)
        }
        banner.text = ChatStrings.system.say("conn.connecting")
        field.placeholder = ChatStrings.system.say("composer.placeholder")
        field.delegate = self
        let typed = UIAction { [session] _ in Task { await session.sendTyping() } }
        field.addAction(typed, for: .editingChanged)
        let column = UIStackView(arrangedSubviews: [banner, table, dots, field])
        column.axis = .vertical
        column.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(column)
        NSLayoutConstraint.activate([
            column.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
            column.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            column.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            column.bottomAnchor.constraint(equalTo: view.keyboardLayoutGuide.topAnchor),
        ])
        observe()
    }

    private func observe() {
        session.$messages.receive(on: RunLoop.main)
            .sink { [weak self] in self?.show($0) }
            .store(in: &subscriptions)
        session.$isAgentTyping.receive(on: RunLoop.main)
            .sink { [weak self] in self?.dots.show($0 ? ChatStrings.system.say("presence.agent") : nil) }
            .store(in: &subscriptions)
        session.$connection.receive(on: RunLoop.main)
            .sink { [weak self] in self?.banner.isHidden = !$0.isReconnecting }
            .store(in: &subscriptions)
        session.$hasEnded.receive(on: RunLoop.main)
            .sink { [weak self] in self?.field.isEnabled = !$0 }
            .store(in: &subscriptions)
    }

    private func show(_ messages: [ChatMessage]) {
        var all = messages.map { Row.message($0.id) }
        if let last = messages.last, !last.suggestions.isEmpty, !session.hasEnded {
            all.append(.suggestions(last.id))
        }
        var snapshot = NSDiffableDataSourceSnapshot<Int, Row>()
        snapshot.appendSections([0])
        snapshot.appendItems(all)
        rows?.apply(snapshot)
    }

    private func cell(_ row: Row, in table: UITableView, at place: IndexPath) -> UITableViewCell? {
        switch row {
        case .message(let id):
            let cell = table.dequeueReusableCell(withIdentifier: MessageCell.reuseID, for: place)
            guard let message = session.messages.first(where: { $0.id == id }) else { return cell }
            (cell as? MessageCell)?.configure(with: message) { [session] text in
                if case .user(let failed) = message { session.removeMessage(draftId: failed.draftId) }
                Task { try? await session.send(text) }
            }
            return cell
        case .suggestions(let id):
            let cell = table.dequeueReusableCell(withIdentifier: SuggestionsCell.reuseID, for: place)
            let message = session.messages.first { $0.id == id }
            (cell as? SuggestionsCell)?.configure(suggestions: message?.suggestions ?? []) {
                [session] suggestion in
                session.clearSuggestions(for: id)
                Task { try? await session.send(suggestion.messageText) }
            }
            return cell
        }
    }

    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        let composer = Composer(text: textField.text ?? "", canSend: session.isReady)
        guard composer.state == .ready else { return false }
        textField.text = nil
        Task { [session] in try? await session.send(composer.message) }
        return true
    }
}
