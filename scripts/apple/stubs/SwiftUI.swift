// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of SwiftUI with the declarations that Examples/AppleProbe uses, for type-checking; it is never run.

// https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { fatalError("a stub") }
}

/// A view without content of its own.
public protocol StubView: View where Body == Never {}
extension StubView {
    public var body: Never { fatalError("a stub") }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("a stub") }
}

public struct TupleView<each Content: View>: StubView {}
public struct EmptyView: StubView {}

// https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
        fatalError("a stub")
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

// https://developer.apple.com/documentation/swiftui/scene
@MainActor @preconcurrency public protocol Scene {}

// https://developer.apple.com/documentation/swiftui/app
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @MainActor @preconcurrency var body: Self.Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    public static func main() {}
}

// https://developer.apple.com/documentation/swiftui/windowgroup
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/state
@frozen @propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) {}
    public var wrappedValue: Value {
        get { fatalError("a stub") }
        nonmutating set {}
    }
}

// https://developer.apple.com/documentation/swiftui/navigationstack
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
public struct NavigationStack<Root: View>: StubView {
    public init(@ViewBuilder root: () -> Root) {}
}

// https://developer.apple.com/documentation/swiftui/list
public struct List<Content: View>: StubView {
    public init(@ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/section
public struct Section<Content: View>: StubView {
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: StubView {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {}
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/navigationlink
public struct NavigationLink<Destination: View>: StubView {
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination) {}
}

// https://developer.apple.com/documentation/swiftui/button
public struct Button<Label: View>: StubView {
    @preconcurrency public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

extension Button where Label == Text {
    @preconcurrency public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}

// https://developer.apple.com/documentation/swiftui/text
public struct Text: StubView {
    public init<S: StringProtocol>(_ content: S) {}
}

// https://developer.apple.com/documentation/swiftui/label
public struct Label: StubView {
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}

// https://developer.apple.com/documentation/swiftui/horizontalalignment
public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
}

// https://developer.apple.com/documentation/swiftui/vstack
public struct VStack<Content: View>: StubView {
    public init(alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/scrollview
public struct ScrollView<Content: View>: StubView {
    public init(@ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/sharelink
@available(iOS 16.0, macOS 13.0, watchOS 9.0, visionOS 1.0, *)
@available(tvOS, unavailable)
public struct ShareLink: StubView {
    public init(item: String) {}
}

// https://developer.apple.com/documentation/swiftui/font
public struct Font: Hashable, Sendable {
    public static let caption = Font()
}

// https://developer.apple.com/documentation/swiftui/textselectability
public protocol TextSelectability {}
public struct EnabledTextSelectability: TextSelectability {}
extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

public struct ModifiedView: StubView {}

extension View {
    // https://developer.apple.com/documentation/swiftui/view/navigationtitle(_:)
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { ModifiedView() }
    // https://developer.apple.com/documentation/swiftui/view/font(_:)
    public func font(_ font: Font?) -> some View { ModifiedView() }
    // https://developer.apple.com/documentation/swiftui/view/padding(_:)
    public func padding() -> some View { ModifiedView() }
    // https://developer.apple.com/documentation/swiftui/view/textselection(_:)
    @available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { ModifiedView() }
}
