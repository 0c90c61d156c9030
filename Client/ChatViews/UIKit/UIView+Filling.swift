// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    import UIKit

    extension UIView {
        /// Adds a subview of this view's size, less `inset` at each edge. A table cell then gets its height from its
        /// content.
        func fill(with view: UIView, inset: CGFloat = 0) {
            view.translatesAutoresizingMaskIntoConstraints = false
            addSubview(view)
            NSLayoutConstraint.activate([
                view.leadingAnchor.constraint(equalTo: leadingAnchor, constant: inset),
                trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: inset),
                view.topAnchor.constraint(equalTo: topAnchor, constant: inset),
                bottomAnchor.constraint(equalTo: view.bottomAnchor, constant: inset),
            ])
        }
    }
#endif
