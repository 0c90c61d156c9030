// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    import ChatPresentation
    public import PolyMessaging
    import SwiftUI
    public import UIKit

    final class FailureView: UIStackView {
        var act: @MainActor () -> Void = {}

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

    /// Screen of a failed session, with a button that resumes the session or begins another one.
    public final class ErrorViewController: UIViewController {
        private let reason: PolyError
        private let retry: @MainActor () -> Void
        private let failure = FailureView()

        /// Makes the screen of a failure. `onRetry` must resume the session or begin another one.
        public init(reason: PolyError, onRetry: @escaping @MainActor () -> Void) {
            (self.reason, retry) = (reason, onRetry)
            super.init(nibName: nil, bundle: nil)
        }

        /// Returns nil, because storyboards are not supported.
        public required init?(coder: NSCoder) { nil }

        /// Creates the views.
        public override func viewDidLoad() {
            super.viewDidLoad()
            view.fill(with: failure)
            failure.act = retry
            let shown = SourceStatus.Failure(text: reason.description, canResume: reason.isRetryable)
            failure.show(.failed(shown), strings: .system)
        }
    }

    /// Grey placeholders for messages. They are not animated.
    public final class LoadingSkeletonView: UIStackView {
        /// Shows three placeholders, or hides them.
        public func show(_ isLoading: Bool, theme: ChatTheme = ChatTheme()) {
            isHidden = !isLoading
            axis = .vertical
            alignment = .leading
            spacing = 12
            guard isLoading, arrangedSubviews.isEmpty else { return }
            for width in [180.0, 240.0, 140.0] {
                let shape = UIView()
                shape.backgroundColor = UIColor(theme.agent)
                shape.layer.cornerRadius = theme.cornerRadius
                shape.widthAnchor.constraint(equalToConstant: width).isActive = true
                shape.heightAnchor.constraint(equalToConstant: 36).isActive = true
                addArrangedSubview(shape)
            }
        }
    }
#endif
