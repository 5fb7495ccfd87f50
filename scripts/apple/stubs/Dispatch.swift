// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The shape of Dispatch on Apple's systems, as far as this project uses it. For type-checking; nothing here runs.
open class DispatchObject {}

public struct DispatchQoS: Sendable {
    public static let utility = DispatchQoS()
    public static let `default` = DispatchQoS()
    public static let userInitiated = DispatchQoS()
}

public final class DispatchQueue: DispatchObject, @unchecked Sendable {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public static let concurrent = Attributes(rawValue: 1)
    }

    public static var main: DispatchQueue { fatalError("a stub") }
    public static func global() -> DispatchQueue { fatalError("a stub") }
    public init(label: String, qos: DispatchQoS = .default, attributes: Attributes = []) {}
    @preconcurrency public func async(execute work: @escaping @Sendable () -> Void) { fatalError("a stub") }
    public func sync<Result>(execute work: () throws -> Result) rethrows -> Result { fatalError("a stub") }
}
