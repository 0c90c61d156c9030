// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    import ChatPresentation
    import PolyMessaging
    import UIKit

    /// Cover over the rows after a failure: the reason, and a button that resumes the chat or starts a new one.
    final class FailureView: UIStackView {
        var act: () -> Void = {}

        func show(_ cover: ScreenState.Cover?, strings: ChatStrings) {
            for view in arrangedSubviews { view.removeFromSuperview() }
            isHidden = true
            guard case .failed(let reason, let canResume) = cover else { return }
            isHidden = false
            axis = .vertical
            backgroundColor = .systemBackground
            for text in [strings.say("failed.title"), reason.localizedDescription] {
                let label = UILabel()
                label.text = text
                label.textAlignment = .center
                label.numberOfLines = 0
                addArrangedSubview(label)
            }
            let title = strings.say(canResume ? "failed.retry" : "ended.start")
            addArrangedSubview(
                UIButton(primaryAction: UIAction(title: title) { [weak self] _ in self?.act() }))
        }
    }
#endif
