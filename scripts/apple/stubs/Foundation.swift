// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Apple's Foundation with the declarations that the core, the publishers and SimorghURLSession use, for type-checking;
// it is never run.
@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch
import Security

// https://developer.apple.com/documentation/foundation/data
public struct Data: Sendable, Hashable, RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
    // https://developer.apple.com/documentation/foundation/data/index
    public typealias Index = Int
    // https://developer.apple.com/documentation/foundation/data/subsequence
    public typealias SubSequence = Data
    // https://developer.apple.com/documentation/foundation/data/init()
    public init() {}
    // https://developer.apple.com/documentation/foundation/data/init(count:)
    public init(count: Int) {}
    // https://developer.apple.com/documentation/foundation/data/deallocator
    public enum Deallocator { case free }
    // https://developer.apple.com/documentation/foundation/data/init(bytesnocopy:count:deallocator:)
    public init(bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) {}
    // https://developer.apple.com/documentation/foundation/data/init(bytes:count:)
    public init(bytes: UnsafeRawPointer, count: Int) {}
    // https://developer.apple.com/documentation/foundation/data/write(to:options:)
    public func write(to url: URL) throws {}
    // https://developer.apple.com/documentation/foundation/nsdata/writingoptions
    public struct WritingOptions: OptionSet, Sendable {
        // https://developer.apple.com/documentation/foundation/nsdata/writingoptions/rawvalue
        public let rawValue: UInt
        // https://developer.apple.com/documentation/foundation/nsdata/writingoptions/init(rawvalue:)
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // https://developer.apple.com/documentation/foundation/nsdata/writingoptions/atomic
        public static let atomic = WritingOptions(rawValue: 1)
    }
    // https://developer.apple.com/documentation/foundation/data/write(to:options:)
    public func write(to url: URL, options: WritingOptions) throws {}
    // https://developer.apple.com/documentation/foundation/data/init(repeating:count:)
    public init(repeating: UInt8, count: Int) {}
    // https://developer.apple.com/documentation/foundation/data/init(_:)
    public init<Bytes: Sequence>(_ bytes: Bytes) where Bytes.Element == UInt8 {}
    // https://developer.apple.com/documentation/foundation/data/init(capacity:)
    public init(capacity: Int) {}
    // https://developer.apple.com/documentation/foundation/data/init(base64encoded:options:)-654f
    public init?(base64Encoded: String) { nil }
    // https://developer.apple.com/documentation/foundation/data/startindex
    public var startIndex: Int { 0 }
    // https://developer.apple.com/documentation/foundation/data/endindex
    public var endIndex: Int { 0 }
    // https://developer.apple.com/documentation/foundation/data/subscript(_:)-8kg64
    public subscript(index: Int) -> UInt8 { get { 0 } set {} }
    // https://developer.apple.com/documentation/foundation/data/subscript(_:)
    public subscript(bounds: Range<Int>) -> Data { get { self } set {} }
    // https://developer.apple.com/documentation/foundation/data/replacesubrange(_:with:)-9u7ry
    public mutating func replaceSubrange<Bytes: Collection>(_ range: Range<Int>, with bytes: Bytes)
    where Bytes.Element == UInt8 {}
    // https://developer.apple.com/documentation/foundation/data/append(_:)-vjwy
    public mutating func append(_ other: Data) {}
    // https://developer.apple.com/documentation/foundation/data/withunsafebytes(_:)
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        fatalError("a stub")
    }
    // https://developer.apple.com/documentation/foundation/data/withunsafemutablebytes(_:)-8o6xa
    public mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/data/base64encodedstring(options:)
    public func base64EncodedString() -> String { "" }
    // https://developer.apple.com/documentation/foundation/data/append(_:count:)
    public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {}
}

extension Data: Codable {
    // https://developer.apple.com/documentation/foundation/data/init(from:)
    public init(from decoder: any Decoder) throws {}
    // https://developer.apple.com/documentation/foundation/data/encode(to:)
    public func encode(to encoder: any Encoder) throws {}
}

// https://developer.apple.com/documentation/foundation/url
public struct URL: Sendable, Hashable, Codable {
    // https://developer.apple.com/documentation/foundation/url/scheme
    public var scheme: String? { nil }
    // https://developer.apple.com/documentation/foundation/url/init(string:)
    public init?(string: String) {}
    // https://developer.apple.com/documentation/foundation/url/isfileurl
    public var isFileURL: Bool { false }
    // https://developer.apple.com/documentation/foundation/url/path
    public var path: String { "" }
    // https://developer.apple.com/documentation/foundation/url/host
    public var host: String? { nil }
    // https://developer.apple.com/documentation/foundation/url/port
    public var port: Int? { nil }
    // https://developer.apple.com/documentation/foundation/url/appendingpathcomponent(_:)
    public func appendingPathComponent(_ component: String) -> URL { self }
    // https://developer.apple.com/documentation/foundation/url/absolutestring
    public var absoluteString: String { "" }
}

// https://developer.apple.com/documentation/foundation/timeinterval
public typealias TimeInterval = Double

// https://developer.apple.com/documentation/foundation/date
public struct Date: Sendable, Hashable, Codable, Comparable {
    // https://developer.apple.com/documentation/foundation/date/iso8601formatstyle
    public struct ISO8601FormatStyle: Sendable {
        // https://developer.apple.com/documentation/foundation/date/iso8601formatstyle/init(dateseparator:datetimeseparator:timeseparator:timezoneseparator:includingfractionalseconds:timezone:)
        public init(includingFractionalSeconds: Bool = false) {}
        // https://developer.apple.com/documentation/foundation/date/iso8601formatstyle/format(_:)
        public func format(_ date: Date) -> String { "" }
        // https://developer.apple.com/documentation/foundation/date/iso8601formatstyle/parse(_:)
        public func parse(_ value: String) throws -> Date { Date() }
    }
    // https://developer.apple.com/documentation/foundation/date/distantpast
    public static let distantPast = Date()
    // https://developer.apple.com/documentation/foundation/date/distantfuture
    public static let distantFuture = Date()
    // https://developer.apple.com/documentation/foundation/date/init()
    public init() {}
    // https://developer.apple.com/documentation/foundation/date/init(timeintervalsince1970:)
    public init(timeIntervalSince1970: TimeInterval) {}
    // https://developer.apple.com/documentation/foundation/date/timeintervalsince1970
    public var timeIntervalSince1970: TimeInterval { 0 }
    // https://developer.apple.com/documentation/foundation/date/timeintervalsince(_:)
    public func timeIntervalSince(_ date: Date) -> TimeInterval { 0 }
    // https://developer.apple.com/documentation/foundation/date/addingtimeinterval(_:)
    public func addingTimeInterval(_ interval: TimeInterval) -> Date { self }
    // https://developer.apple.com/documentation/foundation/date/_(_:_:)-42kro
    public static func < (left: Date, right: Date) -> Bool { false }
    // https://developer.apple.com/documentation/foundation/date/formatted(_:)
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
    public func formatted(_ style: ISO8601FormatStyle) -> String { "" }
    // https://developer.apple.com/documentation/foundation/date/iso8601format(_:)
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
    public func ISO8601Format(_ style: ISO8601FormatStyle = .init()) -> String { "" }
}

extension Date.ISO8601FormatStyle {
    // https://developer.apple.com/documentation/foundation/formatstyle/iso8601
    public static var iso8601: Self { Self() }
}

// https://developer.apple.com/documentation/foundation/decimal
public struct Decimal: Sendable, Hashable, Codable, CustomStringConvertible {
    // https://developer.apple.com/documentation/foundation/decimal/init(exactly:)
    public init?<Source: BinaryInteger>(exactly source: Source) {}
    // https://developer.apple.com/documentation/foundation/decimal/description
    public var description: String { "" }
    // https://developer.apple.com/documentation/foundation/decimal/isnan
    public var isNaN: Bool { false }
}

// https://developer.apple.com/documentation/foundation/uuid
public struct UUID: Sendable, Hashable, Codable {
    // https://developer.apple.com/documentation/foundation/uuid/init()
    public init() {}
    // https://developer.apple.com/documentation/foundation/uuid/init(uuidstring:)
    public init?(uuidString: String) { nil }
    // https://developer.apple.com/documentation/foundation/uuid/uuidstring
    public var uuidString: String { "" }
}

// https://developer.apple.com/documentation/foundation/url/init(filepath:directoryhint:relativeto:)
extension URL { public init(filePath path: String) {} }

// https://developer.apple.com/documentation/foundation/data/regions
extension Data { public var regions: CollectionOfOne<Data> { CollectionOfOne(self) } }

// https://developer.apple.com/documentation/foundation/filemanager
open class FileManager: @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/filemanager/default
    public class var `default`: FileManager { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/filemanager/currentdirectorypath
    public var currentDirectoryPath: String { "" }
    // https://developer.apple.com/documentation/foundation/filemanager/fileexists(atpath:)
    public func fileExists(atPath path: String) -> Bool { false }
    // https://developer.apple.com/documentation/foundation/filemanager/contentsofdirectory(atpath:)
    public func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
    // https://developer.apple.com/documentation/foundation/filemanager/temporarydirectory
    public var temporaryDirectory: URL { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/filemanager/createdirectory(at:withintermediatedirectories:attributes:)
    public func createDirectory(at url: URL, withIntermediateDirectories: Bool) throws {}
    // https://developer.apple.com/documentation/foundation/filemanager/createdirectory(atpath:withintermediatedirectories:attributes:)
    public func createDirectory(atPath path: String, withIntermediateDirectories: Bool) throws {}
    // https://developer.apple.com/documentation/foundation/filemanager/setattributes(_:ofitematpath:)
    public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {}
    // https://developer.apple.com/documentation/foundation/filemanager/moveitem(at:to:)
    public func moveItem(at source: URL, to destination: URL) throws {}
    // https://developer.apple.com/documentation/foundation/filemanager/removeitem(atpath:)
    public func removeItem(atPath path: String) throws {}
    // https://developer.apple.com/documentation/foundation/filemanager/removeitem(at:)
    public func removeItem(at url: URL) throws {}
    // https://developer.apple.com/documentation/foundation/filemanager/createfile(atpath:contents:attributes:)
    public func createFile(
        atPath path: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil
    ) -> Bool { true }
}

// https://developer.apple.com/documentation/foundation/nshomedirectory()
public func NSHomeDirectory() -> String { "" }

// https://developer.apple.com/documentation/foundation/localizederror
// https://developer.apple.com/documentation/foundation/localizederror/errordescription
public protocol LocalizedError: Error { var errorDescription: String? { get } }

// https://developer.apple.com/documentation/foundation/operatingsystemversion
public struct OperatingSystemVersion: Sendable {
    // https://developer.apple.com/documentation/foundation/operatingsystemversion/majorversion
    public var majorVersion = 0
    // https://developer.apple.com/documentation/foundation/operatingsystemversion/minorversion
    public var minorVersion = 0
    // https://developer.apple.com/documentation/foundation/operatingsystemversion/patchversion
    public var patchVersion = 0
}

// https://developer.apple.com/documentation/foundation/processinfo
open class ProcessInfo: @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/processinfo/processinfo
    public class var processInfo: ProcessInfo { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/processinfo/operatingsystemversion
    public var operatingSystemVersion: OperatingSystemVersion { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/processinfo/operatingsystemversionstring
    public var operatingSystemVersionString: String { "" }
    // https://developer.apple.com/documentation/foundation/processinfo/processname
    public var processName: String { "" }
    // https://developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:)
    @available(macOS, unavailable)
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
    // https://developer.apple.com/documentation/foundation/processinfo/environment
    public var environment: [String: String] { [:] }
}

// https://developer.apple.com/documentation/foundation/decodablewithconfiguration
public protocol DecodableWithConfiguration {
    // https://developer.apple.com/documentation/foundation/decodablewithconfiguration/decodingconfiguration
    associatedtype DecodingConfiguration
    // https://developer.apple.com/documentation/foundation/decodablewithconfiguration/init(from:configuration:)
    init(from decoder: any Decoder, configuration: DecodingConfiguration) throws
}

// https://developer.apple.com/documentation/foundation/jsondecoder
open class JSONDecoder: @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/jsondecoder/init()
    public init() {}
    // https://developer.apple.com/documentation/foundation/jsondecoder/decode(_:from:)
    open func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/jsondecoder/decode(_:from:configuration:)-xsq1
    @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
    open func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type, from data: Data, configuration: Value.DecodingConfiguration
    ) throws -> Value { fatalError("a stub") }
}

// https://developer.apple.com/documentation/foundation/jsonencoder
open class JSONEncoder: @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/jsonencoder/outputformatting-swift.struct
    public struct OutputFormatting: OptionSet, Sendable {
        // https://developer.apple.com/documentation/foundation/jsonencoder/outputformatting-swift.struct/rawvalue
        public let rawValue: UInt
        // https://developer.apple.com/documentation/foundation/jsonencoder/outputformatting-swift.struct/init(rawvalue:)
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // https://developer.apple.com/documentation/foundation/jsonencoder/outputformatting-swift.struct/prettyprinted
        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        // https://developer.apple.com/documentation/foundation/jsonencoder/outputformatting-swift.struct/sortedkeys
        public static let sortedKeys = OutputFormatting(rawValue: 2)
        // https://developer.apple.com/documentation/foundation/jsonencoder/outputformatting-swift.struct/withoutescapingslashes
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }
    // https://developer.apple.com/documentation/foundation/jsonencoder/init()
    public init() {}
    // https://developer.apple.com/documentation/foundation/jsonencoder/outputformatting-swift.property
    open var outputFormatting: OutputFormatting = []
    // https://developer.apple.com/documentation/foundation/jsonencoder/dateencodingstrategy-swift.property
    open var dateEncodingStrategy: DateEncodingStrategy = .deferredToDate
    // https://developer.apple.com/documentation/foundation/jsonencoder/dataencodingstrategy-swift.property
    open var dataEncodingStrategy: DataEncodingStrategy = .base64
    // https://developer.apple.com/documentation/foundation/jsonencoder/nonconformingfloatencodingstrategy-swift.property
    open var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy = .throw
    // https://developer.apple.com/documentation/foundation/jsonencoder/keyencodingstrategy-swift.property
    open var keyEncodingStrategy: KeyEncodingStrategy = .useDefaultKeys
    // https://developer.apple.com/documentation/foundation/jsonencoder/userinfo
    open var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    // https://developer.apple.com/documentation/foundation/jsonencoder/encode(_:)
    open func encode<Value: Encodable>(_ value: Value) throws -> Data { fatalError("a stub") }
}

// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
open class NSObject {
    // https://developer.apple.com/documentation/objectivec/nsobject-swift.class/init()
    public init() {}
    // https://developer.apple.com/documentation/objectivec/nsobject-swift.class/copy()
    open func copy() -> Any { self }
}

// https://developer.apple.com/documentation/foundation/characterset
public struct CharacterSet: Sendable {
    // https://developer.apple.com/documentation/foundation/characterset/whitespaces
    public static let whitespaces = CharacterSet()
}

extension StringProtocol {
    // https://developer.apple.com/documentation/swift/stringprotocol/trimmingcharacters(in:)
    public func trimmingCharacters(in set: CharacterSet) -> String { "" }
    // https://developer.apple.com/documentation/swift/stringprotocol/precomposedstringwithcanonicalmapping
    public var precomposedStringWithCanonicalMapping: String { "" }
}

// https://developer.apple.com/documentation/foundation/fileattributekey
public struct FileAttributeKey: Hashable, Sendable {
    // https://developer.apple.com/documentation/foundation/fileattributekey/posixpermissions
    public static let posixPermissions = FileAttributeKey()
}

// https://developer.apple.com/documentation/foundation/filehandle
open class FileHandle: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/filehandle/init(forwritingto:)
    public init(forWritingTo url: URL) throws {}
    // https://developer.apple.com/documentation/foundation/filehandle/write(contentsof:)
    public func write<Bytes: Sequence>(contentsOf data: Bytes) throws where Bytes.Element == UInt8 {}
    // https://developer.apple.com/documentation/foundation/filehandle/close()
    public func close() throws {}
}

// https://developer.apple.com/documentation/foundation/stream
open class Stream: NSObject {
    // https://developer.apple.com/documentation/foundation/stream/event
    public struct Event: OptionSet, Sendable {
        // https://developer.apple.com/documentation/foundation/stream/event/rawvalue
        public let rawValue: UInt
        // https://developer.apple.com/documentation/foundation/stream/event/init(rawvalue:)
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // https://developer.apple.com/documentation/foundation/stream/event/opencompleted
        public static let openCompleted = Event(rawValue: 1)
        // https://developer.apple.com/documentation/foundation/stream/event/hasbytesavailable
        public static let hasBytesAvailable = Event(rawValue: 2)
        // https://developer.apple.com/documentation/foundation/stream/event/hasspaceavailable
        public static let hasSpaceAvailable = Event(rawValue: 4)
        // https://developer.apple.com/documentation/foundation/stream/event/erroroccurred
        public static let errorOccurred = Event(rawValue: 8)
        // https://developer.apple.com/documentation/foundation/stream/event/endencountered
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
// https://developer.apple.com/documentation/swift/autoreleasingunsafemutablepointer
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
    // https://developer.apple.com/documentation/foundation/streamdelegate/stream(_:handle:)
    func stream(_ aStream: Stream, handle eventCode: Stream.Event)
}

// https://developer.apple.com/documentation/corefoundation/cfwritestreamsetdispatchqueue(_:_:); OutputStream is toll-free
// bridged to CFWriteStream.
public func CFWriteStreamSetDispatchQueue(_ stream: OutputStream!, _ q: DispatchQueue!) {}

// https://developer.apple.com/documentation/foundation/qualityofservice
public enum QualityOfService: Int, Sendable {
    case userInteractive = 0x21, userInitiated = 0x19, utility = 0x11, background = 0x09, `default` = -1
}
// https://developer.apple.com/documentation/foundation/operationqueue
open class OperationQueue: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/operationqueue/qualityofservice
    open var qualityOfService: QualityOfService { get { .default } set {} }
    // https://developer.apple.com/documentation/foundation/operationqueue/maxconcurrentoperationcount
    open var maxConcurrentOperationCount: Int { get { 0 } set {} }
    // https://developer.apple.com/documentation/foundation/operationqueue/addoperation(_:)-5s294
    open func addOperation(_ block: @escaping @Sendable () -> Void) {}
    // https://developer.apple.com/documentation/foundation/operationqueue/underlyingqueue
    open var underlyingQueue: DispatchQueue? { get { nil } set {} }
}
