// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of SwiftNIO's NIOCore with the declarations that the engine's files for Apple platforms use, for type-checking; it is never
// run.
// Not part of Apple's SDK: a package, so its declarations need no addresses of Apple's documentation.
public import Darwin

public struct TimeAmount: Sendable {
    public static func seconds(_ amount: Int64) -> TimeAmount { fatalError("a stub") }
}

public final class EventLoopFuture<Value> {
    public struct Isolated {
        public func whenSuccess(_ callback: @escaping (Value) -> Void) { fatalError("a stub") }
    }

    @preconcurrency public func map<NewValue>(
        _ callback: @escaping @Sendable (Value) -> NewValue
    ) -> EventLoopFuture<NewValue> { fatalError("a stub") }
    public func assumeIsolated() -> Isolated { fatalError("a stub") }
}

public struct EventLoopPromise<Value> {
    public func succeed(_ value: Value) { fatalError("a stub") }
}

public protocol Channel: AnyObject, Sendable {}

public protocol SocketOptionProvider {
    func getTCPConnectionInfo() -> EventLoopFuture<tcp_connection_info>
}

public enum SocketAddress: Sendable {
    public init(_ address: sockaddr_in) { fatalError("a stub") }
    public init(_ address: sockaddr_in6) { fatalError("a stub") }
    case v4, v6
}

public struct IOError: Error {
    public init(errnoCode: CInt, reason: String) { fatalError("a stub") }
}
