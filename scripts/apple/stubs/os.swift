// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of the unified log with the declarations that this project uses, for type-checking; it is never run.
// https://developer.apple.com/documentation/os/oslogtype
public struct OSLogType: Sendable {
    // https://developer.apple.com/documentation/os/oslogtype/default
    public static let `default` = OSLogType()
    // https://developer.apple.com/documentation/os/oslogtype/debug
    public static let debug = OSLogType()
    // https://developer.apple.com/documentation/os/oslogtype/error
    public static let error = OSLogType()
}

// https://developer.apple.com/documentation/os/oslogprivacy
public struct OSLogPrivacy: Sendable {
    // https://developer.apple.com/documentation/os/oslogprivacy/private
    public static let `private` = OSLogPrivacy()
    // https://developer.apple.com/documentation/os/oslogprivacy/public
    public static let `public` = OSLogPrivacy()
}

// https://developer.apple.com/documentation/os/oslogmessage
public struct OSLogMessage: ExpressibleByStringInterpolation {
    // https://developer.apple.com/documentation/os/osloginterpolation
    public struct StringInterpolation: StringInterpolationProtocol {
        // https://developer.apple.com/documentation/os/osloginterpolation/init(literalcapacity:interpolationcount:)
        public init(literalCapacity: Int, interpolationCount: Int) {}
        // https://developer.apple.com/documentation/os/osloginterpolation/appendliteral(_:)
        public mutating func appendLiteral(_ literal: String) {}
        // https://developer.apple.com/documentation/os/osloginterpolation/appendinterpolation(_:align:privacy:)-6tazr
        public mutating func appendInterpolation(
            _ value: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .private
        ) {}
    }

    // https://developer.apple.com/documentation/os/oslogmessage/init(stringliteral:)
    public init(stringLiteral value: String) {}
    // https://developer.apple.com/documentation/os/oslogmessage/init(stringinterpolation:)
    public init(stringInterpolation: StringInterpolation) {}
}

// https://developer.apple.com/documentation/os/logger
public struct Logger: Sendable {
    // https://developer.apple.com/documentation/os/logger/init(subsystem:category:)
    public init(subsystem: String, category: String) {}
    // https://developer.apple.com/documentation/os/logger/log(level:_:)
    public func log(level: OSLogType, _ message: OSLogMessage) {}
}
