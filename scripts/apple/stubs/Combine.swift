// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Apple's Combine: OpenCombine, and the conformance of DispatchQueue that Apple's Combine adds. For type-checking; it is
// never run.
@_exported import OpenCombine
import Dispatch
extension DispatchQueue: OpenCombine.Scheduler {
  // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype
  public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral, Codable, Hashable, Sendable {
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/init(floatliteral:)
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/init(integerliteral:)
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/init(exactly:)
      public var v = 0; public init() {}; public init(floatLiteral: Double) {}; public init(integerLiteral: Int) {}; public init?<T>(exactly: T) where T: BinaryInteger { nil }
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/magnitude
      public var magnitude: Int { 0 }
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/seconds(_:)
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/milliseconds(_:)
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/microseconds(_:)
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/nanoseconds(_:)
      public static func seconds(_ s: Int) -> Stride { .init() }; public static func seconds(_ s: Double) -> Stride { .init() }; public static func milliseconds(_ s: Int) -> Stride { .init() }; public static func microseconds(_ s: Int) -> Stride { .init() }; public static func nanoseconds(_ s: Int) -> Stride { .init() }
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/+(_:_:)
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/-(_:_:)
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/*(_:_:)
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/*=(_:_:)
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/+=(_:_:)
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/-=(_:_:)
      // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride/_(_:_:)
      public static func + (l: Self, r: Self) -> Self { l }; public static func - (l: Self, r: Self) -> Self { l }; public static func * (l: Self, r: Self) -> Self { l }; public static func *= (l: inout Self, r: Self) {}; public static func += (l: inout Self, r: Self) {}; public static func -= (l: inout Self, r: Self) {}; public static func < (l: Self, r: Self) -> Bool { l.v < r.v }
    }
    // Not part of Apple's SDK: a value for the synthesized conformances.
    var t = 0
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/distance(to:)
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/advanced(by:)
    public func distance(to o: Self) -> Stride { .init() }; public func advanced(by n: Stride) -> Self { self }
  }
  // https://developer.apple.com/documentation/dispatch/dispatchqueue/scheduleroptions
  public struct SchedulerOptions {}
  // https://developer.apple.com/documentation/dispatch/dispatchqueue/now
  // https://developer.apple.com/documentation/dispatch/dispatchqueue/minimumtolerance
  public var now: SchedulerTimeType { fatalError() }; public var minimumTolerance: SchedulerTimeType.Stride { fatalError() }
  // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedule(options:_:)
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {}
  // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedule(after:tolerance:options:_:)
  public func schedule(after: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void) {}
  // https://developer.apple.com/documentation/dispatch/dispatchqueue/schedule(after:interval:tolerance:options:_:)
  public func schedule(after: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void) -> any Cancellable { fatalError() }
}
