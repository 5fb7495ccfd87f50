// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of swift-log with the declarations that this project uses; its own sources need more of Darwin than the stub has.
// Not part of Apple's SDK: a package, so its declarations need no addresses of Apple's documentation.
public struct Logger: Sendable {
    public enum Level: Int, Sendable, Comparable {
        case trace, debug, info, notice, warning, error, critical

        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }
    public typealias Metadata = [String: MetadataValue]

    public enum MetadataValue: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
        case string(String)
        case dictionary(Metadata)

        public init(stringLiteral value: String) { self = .string(value) }
        public var description: String { "" }
    }

    public struct Message: ExpressibleByStringInterpolation {
        public init(stringLiteral value: String) {}
    }

    public init(label: String) {}
    public var logLevel: Level { get { .info } set {} }
    public func notice(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {}
    public func warning(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {}
    public func log(level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {}
}
