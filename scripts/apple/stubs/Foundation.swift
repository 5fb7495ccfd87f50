// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The shape of Apple's Foundation, as far as the core and the publishers use it. For type-checking; nothing here runs.
@_exported import Darwin
@_exported import Dispatch

public struct Data: Sendable, Hashable, RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
    public typealias Index = Int
    public typealias SubSequence = Data
    public init() {}
    public init(count: Int) {}
    public init(repeating: UInt8, count: Int) {}
    public init<Bytes: Sequence>(_ bytes: Bytes) where Bytes.Element == UInt8 {}
    public init(capacity: Int) {}
    public init?(base64Encoded: String) { nil }
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(index: Int) -> UInt8 { get { 0 } set {} }
    public subscript(bounds: Range<Int>) -> Data { get { self } set {} }
    public mutating func replaceSubrange<Bytes: Collection>(_ range: Range<Int>, with bytes: Bytes)
    where Bytes.Element == UInt8 {}
    public mutating func append(_ other: Data) {}
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        fatalError("a stub")
    }
    public mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result { fatalError("a stub") }
    public func base64EncodedString() -> String { "" }
    public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {}
}

extension Data: Codable {
    public init(from decoder: any Decoder) throws {}
    public func encode(to encoder: any Encoder) throws {}
}

public struct URL: Sendable, Hashable, Codable {
    public init?(string: String) {}
    public var isFileURL: Bool { false }
    public var path: String { "" }
    public var absoluteString: String { "" }
}

public typealias TimeInterval = Double

public struct Date: Sendable, Hashable, Codable, Comparable {
    public struct ISO8601FormatStyle: Sendable {
        public init(includingFractionalSeconds: Bool = false) {}
        public func format(_ date: Date) -> String { "" }
    }
    public static let distantPast = Date()
    public static let distantFuture = Date()
    public init() {}
    public init(timeIntervalSince1970: TimeInterval) {}
    public var timeIntervalSince1970: TimeInterval { 0 }
    public func timeIntervalSince(_ date: Date) -> TimeInterval { 0 }
    public func addingTimeInterval(_ interval: TimeInterval) -> Date { self }
    public static func < (left: Date, right: Date) -> Bool { false }
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
    public func formatted(_ style: ISO8601FormatStyle) -> String { "" }
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
    public func ISO8601Format(_ style: ISO8601FormatStyle = .init()) -> String { "" }
}

extension Date.ISO8601FormatStyle {
    public static var iso8601: Self { Self() }
}

public struct Decimal: Sendable, Hashable, Codable, CustomStringConvertible {
    public var description: String { "" }
    public var isNaN: Bool { false }
}

public struct UUID: Sendable, Hashable, Codable {
    public init() {}
    public var uuidString: String { "" }
}

open class FileManager: @unchecked Sendable {
    public class var `default`: FileManager { fatalError("a stub") }
    public var currentDirectoryPath: String { "" }
    public func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
}

public func NSHomeDirectory() -> String { "" }

public protocol LocalizedError: Error { var errorDescription: String? { get } }

public struct OperatingSystemVersion: Sendable {
    public var majorVersion = 0
    public var minorVersion = 0
    public var patchVersion = 0
}

open class ProcessInfo: @unchecked Sendable {
    public class var processInfo: ProcessInfo { fatalError("a stub") }
    public var operatingSystemVersion: OperatingSystemVersion { fatalError("a stub") }
    public var processName: String { "" }
    public var environment: [String: String] { [:] }
}

public protocol DecodableWithConfiguration {
    associatedtype DecodingConfiguration
    init(from decoder: any Decoder, configuration: DecodingConfiguration) throws
}

open class JSONDecoder: @unchecked Sendable {
    public init() {}
    open func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { fatalError("a stub") }
    @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
    open func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type, from data: Data, configuration: Value.DecodingConfiguration
    ) throws -> Value { fatalError("a stub") }
}

open class JSONEncoder: @unchecked Sendable {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        public static let sortedKeys = OutputFormatting(rawValue: 2)
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }
    public init() {}
    open var outputFormatting: OutputFormatting = []
    open func encode<Value: Encodable>(_ value: Value) throws -> Data { fatalError("a stub") }
}
