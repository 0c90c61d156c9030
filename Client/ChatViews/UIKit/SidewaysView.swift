// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    public import UIKit

    /// Row of views, scrolled horizontally. It is as high as its tallest view.
    public class SidewaysView: UIScrollView {
        private let row = UIStackView()

        /// Makes an empty row.
        public override init(frame: CGRect) {
            super.init(frame: frame)
            row.axis = .horizontal
            row.spacing = 8
            row.translatesAutoresizingMaskIntoConstraints = false
            addSubview(row)
            NSLayoutConstraint.activate([
                row.leadingAnchor.constraint(equalTo: contentLayoutGuide.leadingAnchor),
                row.trailingAnchor.constraint(equalTo: contentLayoutGuide.trailingAnchor),
                row.topAnchor.constraint(equalTo: contentLayoutGuide.topAnchor),
                row.bottomAnchor.constraint(equalTo: contentLayoutGuide.bottomAnchor),
                heightAnchor.constraint(equalTo: row.heightAnchor),
            ])
        }

        /// Returns nil, because storyboards are not supported.
        public required init?(coder: NSCoder) { nil }

        func show(_ views: [UIView]) {
            for view in row.arrangedSubviews { view.removeFromSuperview() }
            for view in views { row.addArrangedSubview(view) }
            isHidden = views.isEmpty
        }
    }
#endif
