// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    import ChatPresentation
    public import UIKit

    /// Remote picture with a placeholder while it loads, and a button to try again after a failure. See `ImageLoad`.
    public final class RetryableImageView: UIView {
        private var loading = ImageLoad()
        private let picture = UIImageView()
        private let label = UILabel()
        private var button: UIButton?

        /// Makes a view without a picture.
        public override init(frame: CGRect) {
            super.init(frame: frame)
            let retry = UIAction(title: ChatStrings.system.say("image.retry")) { [weak self] _ in
                self?.fetch(self?.loading.retry())
            }
            let button = UIButton(primaryAction: retry)
            self.button = button
            picture.contentMode = .scaleAspectFill
            picture.clipsToBounds = true
            label.textAlignment = .center
            clipsToBounds = true
            for view in [label, picture, button] { fill(with: view) }
            show(nil)
        }

        /// Returns nil, because storyboards are not supported.
        public required init?(coder: NSCoder) { nil }

        /// Shows a picture. `placeholder` is a short text, such as an initial.
        public func load(url: URL?, placeholder: String = "") {
            label.text = placeholder
            if let request = loading.show(url?.absoluteString) {
                fetch(request)
            } else {
                show(picture.image)
            }
        }

        private func fetch(_ request: ImageLoad.Request?) {
            show(nil)
            guard let request, let url = URL(string: request.address) else { return }
            Task { [weak self] in
                let data = try? await URLSession.shared.data(from: url).0
                self?.finish(request, data.flatMap { UIImage(data: $0) })
            }
        }

        private func finish(_ request: ImageLoad.Request, _ image: UIImage?) {
            loading.finish(request, succeeded: image != nil)
            if request == loading.request { show(image) }
        }

        private func show(_ image: UIImage?) {
            picture.image = loading.phase == .shown ? image : nil
            picture.isHidden = loading.phase != .shown
            label.isHidden = loading.phase == .shown || loading.phase == .failed
            button?.isHidden = loading.phase != .failed
        }
    }
#endif
