// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Apple's Dispatch with the declarations that this project uses, for type-checking; it is never run.
// https://developer.apple.com/documentation/dispatch/dispatchobject
open class DispatchObject {}

// https://developer.apple.com/documentation/dispatch/dispatchqos
public struct DispatchQoS: Sendable {
    // https://developer.apple.com/documentation/dispatch/dispatchqos/utility
    public static let utility = DispatchQoS()
    // https://developer.apple.com/documentation/dispatch/dispatchqos/default
    public static let `default` = DispatchQoS()
    // https://developer.apple.com/documentation/dispatch/dispatchqos/userinitiated
    public static let userInitiated = DispatchQoS()
}

// https://developer.apple.com/documentation/dispatch/dispatchqueue
public final class DispatchQueue: DispatchObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/dispatch/dispatchobject/suspend()
    public func suspend() {}
    // https://developer.apple.com/documentation/dispatch/dispatchobject/resume()
    public func resume() {}
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/attributes
    public struct Attributes: OptionSet, Sendable {
        // https://developer.apple.com/documentation/dispatch/dispatchqueue/attributes/rawvalue
        public let rawValue: UInt64
        // https://developer.apple.com/documentation/dispatch/dispatchqueue/attributes/init(rawvalue:)
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        // https://developer.apple.com/documentation/dispatch/dispatchqueue/attributes/concurrent
        public static let concurrent = Attributes(rawValue: 1)
    }

    // https://developer.apple.com/documentation/dispatch/dispatchqueue/main
    public static var main: DispatchQueue { fatalError("a stub") }
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/global(qos:)
    public static func global() -> DispatchQueue { fatalError("a stub") }
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/init(label:qos:attributes:autoreleasefrequency:target:)
    public init(
        label: String, qos: DispatchQoS = .default, attributes: Attributes = [], target: DispatchQueue? = nil
    ) {}
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/concurrentperform(iterations:execute:)
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) { fatalError("a stub") }
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/async(execute:)
    @preconcurrency public func async(execute work: @escaping @Sendable () -> Void) { fatalError("a stub") }
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/asyncafter(deadline:execute:)
    @preconcurrency public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {
        fatalError("a stub")
    }
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/sync(execute:)-20xby
    public func sync<Result>(execute work: () throws -> Result) rethrows -> Result { fatalError("a stub") }
}

// https://developer.apple.com/documentation/dispatch/dispatchtimeinterval
public enum DispatchTimeInterval: Equatable, Sendable {
    // https://developer.apple.com/documentation/dispatch/dispatchtimeinterval/milliseconds(_:)
    case milliseconds(Int)
    // https://developer.apple.com/documentation/dispatch/dispatchtimeinterval/nanoseconds(_:)
    case nanoseconds(Int)
}

// https://developer.apple.com/documentation/dispatch/dispatchtime
public struct DispatchTime: Comparable, Sendable {
    // https://developer.apple.com/documentation/dispatch/dispatchtime/now()
    public static func now() -> DispatchTime { fatalError("a stub") }
    // https://developer.apple.com/documentation/dispatch/dispatchtime/_(_:_:)
    public static func < (left: DispatchTime, right: DispatchTime) -> Bool { fatalError("a stub") }
    // https://developer.apple.com/documentation/dispatch/+(_:_:)-2dcrq
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError("a stub") }
}

// https://developer.apple.com/documentation/dispatch/dispatchtimeoutresult
public enum DispatchTimeoutResult: Sendable { case success, timedOut }

// https://developer.apple.com/documentation/dispatch/dispatchsemaphore
public final class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/dispatch/dispatchsemaphore/init(value:)
    public init(value: Int) {}
    // https://developer.apple.com/documentation/dispatch/dispatchsemaphore/signal()
    @discardableResult public func signal() -> Int { fatalError("a stub") }
    // https://developer.apple.com/documentation/dispatch/dispatchsemaphore/wait()
    @available(*, noasync, message: "Await a Task handle instead")
    public func wait() { fatalError("a stub") }
    // https://developer.apple.com/documentation/dispatch/dispatchsemaphore/wait(timeout:)
    @available(*, noasync, message: "Await a Task handle instead")
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError("a stub") }
}
