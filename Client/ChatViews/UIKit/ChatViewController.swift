// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    public import ChatPresentation
    public import PolyMessaging
    import SwiftUI
    public import UIKit

    /// Chat screen: a table of rows, suggestions and a text field. Set the properties before the view is loaded.
    public final class ChatViewController: UIViewController, UITableViewDataSource, UITableViewDelegate,
        UITextFieldDelegate
    {
        /// Colours and sizes.
        public var theme = ChatTheme()
        /// The app's own actions on a message.
        public var actions: @MainActor (RowMessage) -> [OwnAction] = { _ in [] }
        /// Executes an action of the app.
        public var perform: @MainActor (OwnAction, RowMessage) -> Void = { _, _ in }

        private let model: ChatScreenModel
        /// The rows in the table. They differ from the model's until the table is updated.
        private var rows: [ChatRow] = []
        private let table = UITableView()
        private let typing = TypingDotsView()
        private let suggestions = SuggestionsView()
        private let field = UITextField()
        private let banner = UILabel()
        private let skeleton = LoadingSkeletonView()
        private let failure = FailureView()
        private var purpose = DraftPurpose.message
        private var endButton: UIButton?
        private var newButton: UIButton?
        private var jumpButton: UIButton?

        /// Makes the screen of a session of the Messaging API. The default language is the system's.
        public convenience init(session: ChatSession, strings: ChatStrings = .system) {
            self.init(source: MessagingSource(session.client), strings: strings)
        }

        /// Makes the screen of any source. The default language is the system's.
        public init(source: any ChatSource, strings: ChatStrings = .system) {
            model = ChatScreenModel(source, strings: strings)
            super.init(nibName: nil, bundle: nil)
        }

        /// Returns nil, because storyboards are not supported.
        public required init?(coder: NSCoder) { nil }

        /// Creates the views.
        public override func viewDidLoad() {
            super.viewDidLoad()
            let strings = model.strings
            table.dataSource = self
            table.delegate = self
            table.keyboardDismissMode = .interactive
            table.register(MessageCell.self, forCellReuseIdentifier: MessageCell.reuseID)
            field.placeholder = strings.say("composer.placeholder")
            field.delegate = self
            field.addAction(UIAction { [weak self] _ in self?.model.typed() }, for: .editingChanged)
            banner.textAlignment = .center
            banner.numberOfLines = 0
            banner.backgroundColor = UIColor(theme.banner)
            view.backgroundColor = .systemBackground
            view.semanticContentAttribute = strings.isRightToLeft ? .forceRightToLeft : .forceLeftToRight
            let end = button(strings.say("menu.end")) { [weak self] in self?.askForEnd() }
            let new = button(strings.say("ended.start")) { [weak self] in self?.model.startNew() }
            let jump = button(strings.say("jump.latest")) { [weak self] in self?.model.scrolled(.wentToEnd) }
            (endButton, newButton, jumpButton) = (end, new, jump)
            lay([end, banner, skeleton, table, jump, typing, suggestions, new, field])
            failure.act = { [weak self] in self?.model.recover() }
            rows = model.chat.rows
            model.stateChange = { [weak self] in self?.showState() }
            model.followChange = { [weak self] in self?.scroll() }
            model.change = { [weak self] in self?.patch($0) }
            model.announce = { UIAccessibility.post(notification: .announcement, argument: $0) }
        }

        private func button(_ title: String, _ act: @escaping @MainActor () -> Void) -> UIButton {
            UIButton(primaryAction: UIAction(title: title) { _ in act() })
        }

        private func lay(_ views: [UIView]) {
            let column = UIStackView(arrangedSubviews: views)
            column.axis = .vertical
            column.translatesAutoresizingMaskIntoConstraints = false
            view.addSubview(column)
            NSLayoutConstraint.activate([
                column.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
                column.leadingAnchor.constraint(equalTo: view.safeAreaLayoutGuide.leadingAnchor),
                column.trailingAnchor.constraint(equalTo: view.safeAreaLayoutGuide.trailingAnchor),
                column.bottomAnchor.constraint(equalTo: view.keyboardLayoutGuide.topAnchor),
            ])
            view.fill(with: failure)
        }

        /// Applies all earlier events and follows later ones.
        public override func viewWillAppear(_ animated: Bool) {
            super.viewWillAppear(animated)
            model.start()
            showState()
        }

        /// Stops following events until the screen appears again.
        public override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            model.stop()
        }

        /// Shows a message; has no effect if it is not in the conversation.
        public func scroll(to messageID: String) { model.scroll(to: messageID) }

        private func showState() {
            let state = model.state
            let words = state.banners.map { model.strings.say($0.key, $0.arguments) }
            banner.text = words.joined(separator: "\n")
            banner.isHidden = words.isEmpty
            endButton?.isHidden = !state.canEnd
            skeleton.show(state.cover == .loading, theme: theme)
            table.isHidden = state.cover == .loading
            failure.show(state.cover, strings: model.strings)
            showFoot()
            showPurpose()
        }

        private func showPurpose() {
            if model.purpose != purpose {
                purpose = model.purpose
                if case .edit(let message) = purpose { field.text = message.text }
                field.placeholder =
                    purpose.about.map { "> " + $0.plainText } ?? model.strings.say("composer.placeholder")
            }
            guard let row = model.detailed else { return }
            model.show(details: nil)
            let alert = UIAlertController(
                title: model.strings.say("message.details"), message: model.strings.details(of: row),
                preferredStyle: .alert)
            alert.addAction(UIAlertAction(title: model.strings.say("cancel"), style: .cancel))
            present(alert, animated: true)
        }

        private func showFoot() {
            let hasEnded = model.chat.ending != nil
            field.isHidden = hasEnded
            newButton?.isHidden = !hasEnded
            typing.show(model.chat.typing, strings: model.strings, theme: theme)
            suggestions.show(model.chat.suggestions, strings: model.strings) { [weak self] in
                self?.model.send($0.text, payload: $0.payload)
            }
            let jump = JumpButton(model.chat, model.follow)
            jumpButton?.isHidden = jump == nil
            if let jump {
                jumpButton?.setTitle(model.strings.say(jump.key, jump.arguments), for: .normal)
            }
        }

        private func askForEnd() {
            let strings = model.strings
            let alert = UIAlertController(
                title: strings.say("end.confirm"), message: strings.say("end.text"), preferredStyle: .alert)
            alert.addAction(
                UIAlertAction(title: strings.say("menu.end"), style: .destructive) { [weak self] _ in
                    self?.model.end()
                })
            alert.addAction(UIAlertAction(title: strings.say("cancel"), style: .cancel))
            present(alert, animated: true)
        }

        private func patch(_ change: RowChange) {
            switch change {
            case .inserted(let row, let index):
                rows.insert(row, at: index)
                table.insertRows(at: [IndexPath(row: index, section: 0)], with: .none)
            case .updated(let row, let index):
                rows[index] = row
                table.reloadRows(at: [IndexPath(row: index, section: 0)], with: .none)
            case .removed(let index):
                rows.remove(at: index)
                table.deleteRows(at: [IndexPath(row: index, section: 0)], with: .none)
            }
            scroll()
        }

        private func scroll() {
            showFoot()
            let target = model.follow.target.flatMap { id in rows.firstIndex { $0.id == id } }
            guard let index = target ?? (model.follow.isFollowing ? rows.indices.last : nil) else { return }
            table.scrollToRow(
                at: IndexPath(row: index, section: 0), at: target == nil ? .bottom : .middle, animated: false)
        }

        // MARK: Rows

        /// Returns the number of rows.
        public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
            rows.count
        }

        /// Returns the cell of a row.
        public func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
        {
            let cell = tableView.dequeueReusableCell(withIdentifier: MessageCell.reuseID, for: indexPath)
            let row = rows[indexPath.row]
            (cell as? MessageCell)?.show(
                row, divider: row.hasTimeDivider ? model.divider(row.at) : nil, strings: model.strings,
                theme: theme
            ) { [weak self] in
                if let message = row.message { self?.model.choose(.retry, on: message) }
            }
            return cell
        }

        // MARK: Menu

        private func menu(of message: RowMessage) -> MessageMenu {
            MessageMenu(message, offers: model.source.offers, own: actions(message))
        }

        private func choose(_ entry: MessageMenu.Entry, on message: RowMessage) {
            if entry == .chat(.copy) { UIPasteboard.general.string = message.plainText }
            switch entry {
            case .chat(let action): model.choose(action, on: message)
            case .own(let action): perform(action, message)
            }
        }

        /// Returns the menu of a message.
        public func tableView(
            _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
        ) -> UIContextMenuConfiguration? {
            guard let message = rows[indexPath.row].message else { return nil }
            let strings = model.strings
            let items = menu(of: message).entries.map { entry in
                UIAction(
                    title: entry.title(strings), attributes: entry.isDestructive ? .destructive : []
                ) { [weak self] _ in self?.choose(entry, on: message) }
            }
            return UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { _ in
                UIMenu(title: "", children: items)
            }
        }

        /// Returns the swipe action of a message: one of the entries of its menu, or none.
        public func tableView(
            _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
        ) -> UISwipeActionsConfiguration? {
            guard let message = rows[indexPath.row].message, let entry = menu(of: message).swipe else {
                return UISwipeActionsConfiguration(actions: [])
            }
            let swipe = UIContextualAction(
                style: entry.isDestructive ? .destructive : .normal, title: entry.title(model.strings)
            ) { [weak self] _, _, done in
                self?.choose(entry, on: message)
                done(true)
            }
            return UISwipeActionsConfiguration(actions: [swipe])
        }

        // MARK: Auto-scroll

        /// Stops auto-scroll when the user drags the rows down.
        public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {
            if scrollView.panGestureRecognizer.translation(in: nil).y > 0 { model.scrolled(.movedUp) }
        }

        /// Resumes auto-scroll if scrolling ended near the bottom, and loads older messages if it ended at the top.
        public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {
            let end = scrollView.contentSize.height - scrollView.bounds.height
            model.scrolled(.settled(distance: Double(end - scrollView.contentOffset.y)))
            if scrollView.contentOffset.y <= 0 {
                if model.pages.hasFailed { model.loadEarlierAgain() } else { model.reachedBeginning() }
            }
        }

        // MARK: The text field

        /// Sends the text when Return is pressed, if it can be sent.
        public func textFieldShouldReturn(_ textField: UITextField) -> Bool {
            let box = Composer(text: textField.text ?? "", canSend: model.chat.ending == nil)
            guard box.state == .ready else { return false }
            textField.text = nil
            model.send(box.message)
            return true
        }
    }
#endif
