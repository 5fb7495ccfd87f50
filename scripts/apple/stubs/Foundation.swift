// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Apple's Foundation with the declarations that the core, the publishers and SimorghURLSession use, for type-checking;
// it is never run.
@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch
import Security

public struct Data: Sendable, Hashable, RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
    public typealias Index = Int
    public typealias SubSequence = Data
    public init() {}
    public init(count: Int) {}
    public enum Deallocator { case free }
    public init(bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) {}
    // https://developer.apple.com/documentation/foundation/data/init(bytes:count:)
    public init(bytes: UnsafeRawPointer, count: Int) {}
    public func write(to url: URL) throws {}
    // https://developer.apple.com/documentation/foundation/nsdata/writingoptions
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let atomic = WritingOptions(rawValue: 1)
    }
    // https://developer.apple.com/documentation/foundation/data/write(to:options:)
    public func write(to url: URL, options: WritingOptions) throws {}
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
    // https://developer.apple.com/documentation/foundation/url/scheme
    public var scheme: String? { nil }
    public init?(string: String) {}
    public var isFileURL: Bool { false }
    public var path: String { "" }
    public var host: String? { nil }
    public func appendingPathComponent(_ component: String) -> URL { self }
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
    public init?(uuidString: String) { nil }
    public var uuidString: String { "" }
}

extension URL { public init(filePath path: String) {} }

extension Data { public var regions: CollectionOfOne<Data> { CollectionOfOne(self) } }

open class FileManager: @unchecked Sendable {
    public class var `default`: FileManager { fatalError("a stub") }
    public var currentDirectoryPath: String { "" }
    public func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
    public var temporaryDirectory: URL { fatalError("a stub") }
    public func createDirectory(at url: URL, withIntermediateDirectories: Bool) throws {}
    public func createDirectory(atPath path: String, withIntermediateDirectories: Bool) throws {}
    public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {}
    public func moveItem(at source: URL, to destination: URL) throws {}
    public func removeItem(atPath path: String) throws {}
    public func removeItem(at url: URL) throws {}
    public func createFile(
        atPath path: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil
    ) -> Bool { true }
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
    // https://developer.apple.com/documentation/foundation/processinfo/operatingsystemversionstring
    public var operatingSystemVersionString: String { "" }
    public var processName: String { "" }
    // https://developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:)
    @available(macOS, unavailable)
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
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

open class NSObject {
    public init() {}
    open func copy() -> Any { self }
}

public struct CharacterSet: Sendable {
    public static let whitespaces = CharacterSet()
}

extension StringProtocol {
    public func trimmingCharacters(in set: CharacterSet) -> String { "" }
    public var precomposedStringWithCanonicalMapping: String { "" }
}

public struct FileAttributeKey: Hashable, Sendable {
    public static let posixPermissions = FileAttributeKey()
}

open class FileHandle: NSObject, @unchecked Sendable {
    public init(forWritingTo url: URL) throws {}
    public func write<Bytes: Sequence>(contentsOf data: Bytes) throws where Bytes.Element == UInt8 {}
    public func close() throws {}
}

// https://developer.apple.com/documentation/foundation/stream
open class Stream: NSObject {
    // https://developer.apple.com/documentation/foundation/stream/event
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let openCompleted = Event(rawValue: 1)
        public static let hasBytesAvailable = Event(rawValue: 2)
        public static let hasSpaceAvailable = Event(rawValue: 4)
        public static let errorOccurred = Event(rawValue: 8)
        public static let endEncountered = Event(rawValue: 16)
    }
    // https://developer.apple.com/documentation/foundation/stream/open()
    open func open() {}
    // https://developer.apple.com/documentation/foundation/stream/close()
    open func close() {}
    // https://developer.apple.com/documentation/foundation/stream/delegate
    open weak var delegate: (any StreamDelegate)?
    // https://developer.apple.com/documentation/foundation/stream/getboundstreams(withbuffersize:inputstream:outputstream:)
    open class func getBoundStreams(
        withBufferSize bufferSize: Int, inputStream: AutoreleasingUnsafeMutablePointer<InputStream?>?,
        outputStream: AutoreleasingUnsafeMutablePointer<OutputStream?>?) {}
}

// Objective-C's pointer to a variable of a class, which the compiler makes of `&variable`.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

// https://developer.apple.com/documentation/foundation/inputstream
open class InputStream: Stream {}

// https://developer.apple.com/documentation/foundation/outputstream
open class OutputStream: Stream {
    // https://developer.apple.com/documentation/foundation/outputstream/write(_:maxlength:)
    open func write(_ buffer: UnsafePointer<UInt8>, maxLength: Int) -> Int { 0 }
}

// https://developer.apple.com/documentation/foundation/streamdelegate; its member is optional.
public protocol StreamDelegate: NSObject {
    func stream(_ aStream: Stream, handle eventCode: Stream.Event)
}

// https://developer.apple.com/documentation/corefoundation/cfwritestreamsetdispatchqueue(_:_:); OutputStream is toll-free
// bridged to CFWriteStream.
public func CFWriteStreamSetDispatchQueue(_ stream: OutputStream!, _ q: DispatchQueue!) {}

// https://developer.apple.com/documentation/foundation/qualityofservice
public enum QualityOfService: Int, Sendable {
    case userInteractive = 0x21, userInitiated = 0x19, utility = 0x11, background = 0x09, `default` = -1
}
open class OperationQueue: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/operationqueue/qualityofservice
    open var qualityOfService: QualityOfService { get { .default } set {} }
    open var maxConcurrentOperationCount: Int { get { 0 } set {} }
    // https://developer.apple.com/documentation/foundation/operationqueue/addoperation(_:)-2a7yw
    open func addOperation(_ block: @escaping @Sendable () -> Void) {}
    open var underlyingQueue: DispatchQueue? { get { nil } set {} }
}
