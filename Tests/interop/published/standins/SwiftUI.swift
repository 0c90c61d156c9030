// swift-format-ignore-file
// What the published snippets use of SwiftUI, declared from Apple's public pages. Types only: nothing of it runs.
@_exported import UIKit

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor var body: Body { get }
}
extension Never: View { public var body: Never { preconditionFailure("nothing runs here") } }

/// A view that is made of nothing else.
public protocol Leaf: View where Body == Never {}
extension Leaf { public var body: Never { preconditionFailure("nothing runs here") } }

public struct EmptyView: Leaf { public nonisolated init() {} }
public struct AnyView: Leaf {}
public struct TupleView: Leaf {}
public struct EitherView: Leaf {}
extension Optional: View where Wrapped: View {
    public var body: Never { preconditionFailure("nothing runs here") }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<A: View>(_ a: A) -> A { a }
    public static func buildBlock<A: View, B: View>(_: A, _: B) -> TupleView { TupleView() }
    public static func buildBlock<A: View, B: View, C: View>(_: A, _: B, _: C) -> TupleView { TupleView() }
    public static func buildBlock<A: View, B: View, C: View, D: View>(_: A, _: B, _: C, _: D) -> TupleView {
        TupleView()
    }
    public static func buildIf<A: View>(_ a: A?) -> A? { a }
    public static func buildEither<A: View>(first: A) -> EitherView { EitherView() }
    public static func buildEither<A: View>(second: A) -> EitherView { EitherView() }
    public static func buildLimitedAvailability<A: View>(_ a: A) -> AnyView { AnyView() }
}

@propertyWrapper @MainActor public struct StateObject<Value> {
    public init(wrappedValue: @autoclosure @escaping @MainActor () -> Value) { value = wrappedValue() }
    private let value: Value
    public var wrappedValue: Value { value }
}
@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) { value = wrappedValue }
    private let value: Value
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { Binding(value: value) }
}
public struct Binding<Value> { let value: Value }

public struct Alignment: Sendable {
    public static let leading = Alignment(), trailing = Alignment(), center = Alignment()
}
public enum HorizontalAlignment { case leading, center, trailing }
public enum Axis { case horizontal, vertical }
public enum Edges { case horizontal, vertical }
public struct Font: Sendable {
    public static let caption = Font(), caption2 = Font(), headline = Font(), subheadline = Font()
}
public protocol ShapeStyle {}
public struct Color: Leaf, ShapeStyle {
    public nonisolated init(_ color: UIColor) {}
    public nonisolated init() {}
    public func opacity(_ share: Double) -> Color { self }
}
extension Color { @MainActor public static var teal: Color { Color() } }
extension ShapeStyle where Self == Color {
    @MainActor public static var blue: Color { Color() }
    @MainActor public static var red: Color { Color() }
    @MainActor public static var white: Color { Color() }
    @MainActor public static var yellow: Color { Color() }
    @MainActor public static var teal: Color { Color() }
    @MainActor public static var secondary: Color { Color() }
}
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material { public static var thinMaterial: Material { Material() } }
public struct RoundedRectangle { public init(cornerRadius: Double) {} }
public struct ButtonKind: Sendable {
    public static let bordered = ButtonKind(), borderedProminent = ButtonKind()
}

public struct VStack<Content: View>: Leaf {
    public init(
        alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
    ) {}
}
public struct HStack<Content: View>: Leaf {
    public init(spacing: Double? = nil, @ViewBuilder content: () -> Content) {}
}
public struct LazyVStack<Content: View>: Leaf {
    public init(
        alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
    ) {}
}
public struct ScrollView<Content: View>: Leaf {
    public init(_ axis: Axis = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
    }
}
public struct ForEach<Data: RandomAccessCollection, Content: View>: Leaf {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable {}
    public init<ID: Hashable>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
}
public struct Text: Leaf {
    public struct DateStyle: Sendable { public static let time = DateStyle() }
    public init(_ text: String) {}
    public init(_ date: Date, style: DateStyle) {}
}
public struct TextField: Leaf { public init(_ title: String, text: Binding<String>) {} }
public struct Button: Leaf { public init(_ title: String, action: @escaping @MainActor () -> Void) {} }
public struct ProgressView: Leaf { public init() {} }
public struct ToolbarItem<Content: View>: Leaf {
    public enum Placement { case navigationBarTrailing }
    public init(placement: Placement, @ViewBuilder content: () -> Content) {}
}
public enum Dismissal { case interactively }

@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = ModifiedContent
    @ViewBuilder @MainActor func body(content: Content) -> Body
}
public struct ModifiedContent: Leaf {}

extension View {
    public func padding(_ length: Double) -> AnyView { AnyView() }
    public func padding(_ edges: Edges? = nil) -> AnyView { AnyView() }
    public func padding(_ edges: Edges, _ length: Double) -> AnyView { AnyView() }
    public func font(_ font: Font) -> AnyView { AnyView() }
    public func frame(maxWidth: Double? = nil, alignment: Alignment = .center) -> AnyView { AnyView() }
    public func background<Style: ShapeStyle>(_ style: Style) -> AnyView { AnyView() }
    public func background<Style: ShapeStyle>(_ style: Style, in shape: RoundedRectangle) -> AnyView {
        AnyView()
    }
    public func foregroundColor(_ color: Color?) -> AnyView { AnyView() }
    public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> AnyView { AnyView() }
    public func disabled(_ isDisabled: Bool) -> AnyView { AnyView() }
    public func onChange<Value: Equatable>(of value: Value, perform: @escaping (Value) -> Void) -> AnyView {
        AnyView()
    }
    public func buttonStyle(_ kind: ButtonKind) -> AnyView { AnyView() }
    public func scaleEffect(_ factor: Double) -> AnyView { AnyView() }
    public func overlay<Content: View>(@ViewBuilder content: () -> Content) -> AnyView { AnyView() }
    public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> AnyView { AnyView() }
    public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> AnyView { AnyView() }
    @available(iOS 16, macOS 13, *)
    public func scrollDismissesKeyboard(_ mode: Dismissal) -> AnyView { AnyView() }
}
