// This file was type-checked only: it has never run on an Apple device.
import Combine
import PolyMessaging
import UIKit

final class HelloViewController: UIViewController, UITextFieldDelegate {
    private let session = PolyMessaging.chat()
    private let log = UITextView()
    private let field = UITextField()
    private var subscriptions = Set<AnyCancellable>()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        log.isEditable = false
        field.placeholder = "Message"
        field.delegate = self
        let column = UIStackView(arrangedSubviews: [log, field])
        column.axis = .vertical
        column.frame = view.bounds
        column.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(column)
        session.$messages
            .receive(on: RunLoop.main)
            .sink { [weak self] messages in
                let lines = messages.compactMap { message in
                    message.text.map { (message.isUser ? "> " : "") + $0 }
                }
                self?.log.attributedText = NSAttributedString(
                    AttributedString(lines.joined(separator: "\n")))
            }
            .store(in: &subscriptions)
    }

    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        let text = textField.text ?? ""
        textField.text = nil
        Task { [session] in try? await session.send(text) }
        return true
    }
}
