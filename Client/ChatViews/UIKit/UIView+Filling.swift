// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    import UIKit

    extension UIView {
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
