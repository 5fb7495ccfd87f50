// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

@_exported import OpenCombine
import Dispatch
extension DispatchQueue: OpenCombine.Scheduler {
  public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral, Codable, Hashable, Sendable {
      public var v = 0; public init() {}; public init(floatLiteral: Double) {}; public init(integerLiteral: Int) {}; public init?<T>(exactly: T) where T: BinaryInteger { nil }
      public var magnitude: Int { 0 }
      public static func seconds(_ s: Int) -> Stride { .init() }; public static func seconds(_ s: Double) -> Stride { .init() }; public static func milliseconds(_ s: Int) -> Stride { .init() }; public static func microseconds(_ s: Int) -> Stride { .init() }; public static func nanoseconds(_ s: Int) -> Stride { .init() }
      public static func + (l: Self, r: Self) -> Self { l }; public static func - (l: Self, r: Self) -> Self { l }; public static func * (l: Self, r: Self) -> Self { l }; public static func *= (l: inout Self, r: Self) {}; public static func += (l: inout Self, r: Self) {}; public static func -= (l: inout Self, r: Self) {}; public static func < (l: Self, r: Self) -> Bool { l.v < r.v }
    }
    var t = 0
    public func distance(to o: Self) -> Stride { .init() }; public func advanced(by n: Stride) -> Self { self }
  }
  public struct SchedulerOptions {}
  public var now: SchedulerTimeType { fatalError() }; public var minimumTolerance: SchedulerTimeType.Stride { fatalError() }
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {}
  public func schedule(after: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void) {}
  public func schedule(after: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void) -> any Cancellable { fatalError() }
}
