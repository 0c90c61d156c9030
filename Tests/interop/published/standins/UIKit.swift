// swift-format-ignore-file
// What the published snippets use of UIKit, declared from Apple's public pages. Types only: nothing of it runs.
@_exported import Foundation

@MainActor open class UIResponder { public init() {} }

open class UIView: UIResponder {
    public var isHidden = false
    public var backgroundColor: UIColor?
    public let bottomAnchor = NSLayoutAnchor()
    public let topAnchor = NSLayoutAnchor()
    public let keyboardLayoutGuide = UILayoutGuide()
}

@MainActor public final class UILayoutGuide { public let topAnchor = NSLayoutAnchor() }
@MainActor public final class NSLayoutConstraint { public var isActive = false }
@MainActor public final class NSLayoutAnchor {
    public func constraint(equalTo anchor: NSLayoutAnchor) -> NSLayoutConstraint { NSLayoutConstraint() }
}

public final class UIColor: Sendable {
    public static let systemTeal = UIColor()
    public static let systemGray5 = UIColor()
    public static let systemYellow = UIColor()
    public func withAlphaComponent(_ alpha: Double) -> UIColor { self }
}

public final class UILabel: UIView { public var text: String? }
public final class UITextView: UIView {
    public var attributedText: NSAttributedString?
    public var isEditable = true
    public var isScrollEnabled = true
}

@MainActor public final class UIAction { public init(handler: @escaping @MainActor (UIAction) -> Void) {} }
open class UIControl: UIView {
    public struct Event: Sendable { public static let editingChanged = Event() }
    public var isEnabled = true
    public func addAction(_ action: UIAction, for event: Event) {}
}
public final class UITextField: UIControl { public var text: String? }

open class UIViewController: UIResponder {
    public var view: UIView! = UIView()
    open func viewDidLoad() {}
}

open class UITableViewCell: UIView { public var textLabel: UILabel? }
public final class UITableView: UIView {
    public func register(_ type: AnyClass?, forCellReuseIdentifier identifier: String) {}
    public func dequeueReusableCell(withIdentifier identifier: String, for place: IndexPath)
        -> UITableViewCell
    {
        UITableViewCell()
    }
    public func reloadData() {}
}
extension IndexPath {
    public var row: Int { 0 }
}

public struct NSDiffableDataSourceSnapshot<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    public init() {}
    public mutating func appendSections(_ sections: [Section]) {}
    public mutating func appendItems(_ items: [Item]) {}
}
@MainActor
public final class UITableViewDiffableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    public typealias CellProvider = @MainActor (UITableView, IndexPath, Item) -> UITableViewCell?
    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {}
    public func apply(_ snapshot: NSDiffableDataSourceSnapshot<Section, Item>, animatingDifferences: Bool) {}
}

@MainActor public final class UIApplication {
    public static let shared = UIApplication()
    public func open(_ url: URL) {}
}
