// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Apple's Dispatch with the declarations that this project uses, for type-checking; it is never run.
open class DispatchObject {}

public struct DispatchQoS: Sendable {
    public static let utility = DispatchQoS()
    public static let `default` = DispatchQoS()
    public static let userInitiated = DispatchQoS()
}

public final class DispatchQueue: DispatchObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/dispatch/dispatchobject/suspend()
    public func suspend() {}
    // https://developer.apple.com/documentation/dispatch/dispatchobject/resume()
    public func resume() {}
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public static let concurrent = Attributes(rawValue: 1)
    }

    public static var main: DispatchQueue { fatalError("a stub") }
    public static func global() -> DispatchQueue { fatalError("a stub") }
    public init(
        label: String, qos: DispatchQoS = .default, attributes: Attributes = [], target: DispatchQueue? = nil
    ) {}
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) { fatalError("a stub") }
    @preconcurrency public func async(execute work: @escaping @Sendable () -> Void) { fatalError("a stub") }
    @preconcurrency public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {
        fatalError("a stub")
    }
    public func sync<Result>(execute work: () throws -> Result) rethrows -> Result { fatalError("a stub") }
}

public enum DispatchTimeInterval: Equatable, Sendable {
    case milliseconds(Int)
    case nanoseconds(Int)
}

public struct DispatchTime: Comparable, Sendable {
    public static func now() -> DispatchTime { fatalError("a stub") }
    public static func < (left: DispatchTime, right: DispatchTime) -> Bool { fatalError("a stub") }
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError("a stub") }
}

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

public final class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    public init(value: Int) {}
    @discardableResult public func signal() -> Int { fatalError("a stub") }
    @available(*, noasync, message: "Await a Task handle instead")
    public func wait() { fatalError("a stub") }
    @available(*, noasync, message: "Await a Task handle instead")
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError("a stub") }
}
