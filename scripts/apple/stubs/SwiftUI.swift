// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of SwiftUI with the declarations that Examples/AppleProbe uses, for type-checking; it is never run.

// https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency public protocol View {
    // https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype
    associatedtype Body: View
    // https://developer.apple.com/documentation/swiftui/view/body-swift.property
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    // https://developer.apple.com/documentation/swiftui/view/body-swift.property
    public var body: Never { fatalError("a stub") }
}

// Not part of Apple's SDK: a view without content of its own.
public protocol StubView: View where Body == Never {}
extension StubView {
    // Not part of Apple's SDK: the body of such a view.
    public var body: Never { fatalError("a stub") }
}

extension Optional: View where Wrapped: View {
    // https://developer.apple.com/documentation/swiftui/view/body-swift.property
    public var body: Never { fatalError("a stub") }
}

// https://developer.apple.com/documentation/swiftui/tupleview
public struct TupleView<each Content: View>: StubView {}
// https://developer.apple.com/documentation/swiftui/emptyview
public struct EmptyView: StubView {}

// https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder public struct ViewBuilder {
    // https://developer.apple.com/documentation/swiftui/viewbuilder/buildexpression(_:)
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    // https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock()
    public static func buildBlock() -> EmptyView { EmptyView() }
    // https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:)
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    // https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:)
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
        fatalError("a stub")
    }
    // https://developer.apple.com/documentation/swiftui/viewbuilder/buildif(_:)
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

// https://developer.apple.com/documentation/swiftui/scene
@MainActor @preconcurrency public protocol Scene {}

// https://developer.apple.com/documentation/swiftui/app
@MainActor @preconcurrency public protocol App {
    // https://developer.apple.com/documentation/swiftui/app/body-swift.associatedtype
    associatedtype Body: Scene
    // https://developer.apple.com/documentation/swiftui/app/body-swift.property
    @MainActor @preconcurrency var body: Self.Body { get }
    // https://developer.apple.com/documentation/swiftui/app/init()
    @MainActor @preconcurrency init()
}

extension App {
    // https://developer.apple.com/documentation/swiftui/app/main()
    public static func main() {}
}

// https://developer.apple.com/documentation/swiftui/windowgroup
public struct WindowGroup<Content: View>: Scene {
    // https://developer.apple.com/documentation/swiftui/windowgroup/init(content:)
    public init(@ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/state
@frozen @propertyWrapper public struct State<Value> {
    // https://developer.apple.com/documentation/swiftui/state/init(wrappedvalue:)
    public init(wrappedValue value: Value) {}
    // https://developer.apple.com/documentation/swiftui/state/wrappedvalue
    public var wrappedValue: Value {
        get { fatalError("a stub") }
        nonmutating set {}
    }
}

// https://developer.apple.com/documentation/swiftui/navigationstack
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
public struct NavigationStack<Root: View>: StubView {
    // https://developer.apple.com/documentation/swiftui/navigationstack/init(root:)
    public init(@ViewBuilder root: () -> Root) {}
}

// https://developer.apple.com/documentation/swiftui/list
public struct List<Content: View>: StubView {
    // https://developer.apple.com/documentation/swiftui/list/init(content:)
    public init(@ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/section
public struct Section<Content: View>: StubView {
    // https://developer.apple.com/documentation/swiftui/section/init(_:content:)
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: StubView {
    // https://developer.apple.com/documentation/swiftui/foreach/init(_:content:)
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {}
    // https://developer.apple.com/documentation/swiftui/foreach/init(_:id:content:)
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/navigationlink
public struct NavigationLink<Destination: View>: StubView {
    // https://developer.apple.com/documentation/swiftui/navigationlink/init(_:destination:)
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination) {}
}

// https://developer.apple.com/documentation/swiftui/button
public struct Button<Label: View>: StubView {
    // https://developer.apple.com/documentation/swiftui/button/init(action:label:)
    @preconcurrency public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

extension Button where Label == Text {
    // https://developer.apple.com/documentation/swiftui/button/init(_:action:)
    @preconcurrency public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}

// https://developer.apple.com/documentation/swiftui/text
public struct Text: StubView {
    // https://developer.apple.com/documentation/swiftui/text/init(_:)-9d1g4
    public init<S: StringProtocol>(_ content: S) {}
}

// https://developer.apple.com/documentation/swiftui/label
public struct Label: StubView {
    // https://developer.apple.com/documentation/swiftui/label/init(_:systemimage:)
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}

// https://developer.apple.com/documentation/swiftui/horizontalalignment
public struct HorizontalAlignment: Sendable {
    // https://developer.apple.com/documentation/swiftui/horizontalalignment/leading
    public static let leading = HorizontalAlignment()
    // https://developer.apple.com/documentation/swiftui/horizontalalignment/center
    public static let center = HorizontalAlignment()
}

// https://developer.apple.com/documentation/swiftui/vstack
public struct VStack<Content: View>: StubView {
    // https://developer.apple.com/documentation/swiftui/vstack/init(alignment:spacing:content:)
    public init(alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/scrollview
public struct ScrollView<Content: View>: StubView {
    // https://developer.apple.com/documentation/swiftui/scrollview/init(_:content:)
    public init(@ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/sharelink
@available(iOS 16.0, macOS 13.0, watchOS 9.0, visionOS 1.0, *)
@available(tvOS, unavailable)
public struct ShareLink: StubView {
    // https://developer.apple.com/documentation/swiftui/sharelink/init(item:subject:message:)
    public init(item: String) {}
}

// https://developer.apple.com/documentation/swiftui/font
public struct Font: Hashable, Sendable {
    // https://developer.apple.com/documentation/swiftui/font/caption
    public static let caption = Font()
}

// https://developer.apple.com/documentation/swiftui/textselectability
public protocol TextSelectability {}
// https://developer.apple.com/documentation/swiftui/enabledtextselectability
public struct EnabledTextSelectability: TextSelectability {}
extension TextSelectability where Self == EnabledTextSelectability {
    // https://developer.apple.com/documentation/swiftui/textselectability/enabled
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

// Not part of Apple's SDK: the result of the modifiers below.
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
