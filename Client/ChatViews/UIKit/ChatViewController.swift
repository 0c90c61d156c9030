// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    public import ChatPresentation
    public import PolyMessaging
    public import UIKit

    /// Chat screen: a table of rows, suggestions and a text field. If a row changes, only its cell is updated.
    public final class ChatViewController: UIViewController, UITableViewDataSource, UITableViewDelegate,
        UITextFieldDelegate
    {
        private let model: ChatScreenModel
        /// The rows that the table shows. The model changes first; this array follows when the table is updated.
        private var rows: [ChatRow] = []
        private let table = UITableView()
        private let suggestions = SuggestionsView()
        private let field = UITextField()
        private let banner = UILabel()
        private let failure = FailureView()
        private var endButton: UIButton?

        /// Makes the screen of a session of the Messaging API, in the language of `strings`. Default: English.
        public convenience init(session: ChatSession, strings: ChatStrings = ChatStrings()) {
            self.init(source: MessagingSource(session.client), strings: strings)
        }

        /// Makes the screen of any source, in the language of `strings`. Default: English.
        public init(source: any ChatSource, strings: ChatStrings = ChatStrings()) {
            model = ChatScreenModel(source, strings: strings)
            super.init(nibName: nil, bundle: nil)
        }

        /// Not supported, because there is no storyboard.
        public required init?(coder: NSCoder) { nil }

        /// Creates the views.
        public override func viewDidLoad() {
            super.viewDidLoad()
            table.dataSource = self
            table.delegate = self
            table.register(MessageCell.self, forCellReuseIdentifier: MessageCell.reuseID)
            field.placeholder = model.strings.say("composer.placeholder")
            field.delegate = self
            let end = UIButton(
                primaryAction: UIAction(title: model.strings.say("menu.end")) { [weak self] _ in
                    self?.askForEnd()
                })
            endButton = end
            let stack = UIStackView(arrangedSubviews: [end, banner, table, suggestions, field])
            stack.axis = .vertical
            stack.frame = view.bounds
            stack.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            view.addSubview(stack)
            failure.frame = view.bounds
            failure.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            view.addSubview(failure)
            failure.act = { [weak self] in self?.model.recover() }
            banner.textAlignment = .center
            banner.numberOfLines = 0
            rows = model.chat.rows
            model.stateChange = { [weak self] in self?.showState() }
            model.change = { [weak self] in self?.patch($0) }
            model.announce = { UIAccessibility.post(notification: .announcement, argument: $0) }
            suggestions.choose = { [weak self] in self?.model.send($0.text, payload: $0.payload) }
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

        private func showState() {
            let words = model.state.banners.map { model.strings.say($0.key, $0.arguments) }
            banner.text = words.joined(separator: "\n")
            banner.isHidden = words.isEmpty
            endButton?.isHidden = !model.state.canEnd
            failure.show(model.state.cover, strings: model.strings)
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
            suggestions.show(model.chat.suggestions)
            guard model.follow.isFollowing, !rows.isEmpty else { return }
            table.scrollToRow(at: IndexPath(row: rows.count - 1, section: 0), at: .bottom, animated: false)
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
                row, time: model.time(row.at), divider: row.hasTimeDivider ? model.divider(row.at) : nil,
                strings: model.strings)
            return cell
        }

        /// Sends a failed message again.
        public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
            guard let message = rows[indexPath.row].message, message.delivery == .failed else { return }
            model.choose(.retry, on: message)
        }

        // MARK: Following

        /// Stops automatic scrolling to new rows when the user drags the rows down.
        public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {
            if scrollView.panGestureRecognizer.translation(in: nil).y > 0 { model.scrolled(.movedUp) }
        }

        /// Resumes automatic scrolling to new rows if scrolling ended near the bottom.
        public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {
            let end = scrollView.contentSize.height - scrollView.bounds.height
            model.scrolled(.settled(distance: Double(end - scrollView.contentOffset.y)))
        }

        // MARK: The box

        /// Sends the text when Return is pressed, if the text can be sent.
        public func textFieldShouldReturn(_ textField: UITextField) -> Bool {
            let box = Composer(text: textField.text ?? "", canSend: model.chat.ending == nil)
            guard box.state == .ready else { return false }
            textField.text = nil
            model.send(box.message)
            return true
        }
    }
#endif
