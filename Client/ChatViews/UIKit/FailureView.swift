// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    import ChatPresentation
    import UIKit

    /// View that covers the rows after the conversation has failed. It shows the reason and a button that resumes the
    /// conversation or starts a new one.
    final class FailureView: UIStackView {
        var act: () -> Void = {}

        func show(_ cover: ScreenState.Cover?, strings: ChatStrings) {
            for view in arrangedSubviews { view.removeFromSuperview() }
            isHidden = true
            guard case .failed(let failure) = cover else { return }
            isHidden = false
            axis = .vertical
            backgroundColor = .systemBackground
            for text in [strings.say("failed.title"), failure.text] {
                let label = UILabel()
                label.text = text
                label.textAlignment = .center
                label.numberOfLines = 0
                addArrangedSubview(label)
            }
            let title = strings.say(failure.canResume ? "failed.retry" : "ended.start")
            addArrangedSubview(
                UIButton(primaryAction: UIAction(title: title) { [weak self] _ in self?.act() }))
        }
    }
#endif
