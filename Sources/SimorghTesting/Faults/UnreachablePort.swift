// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghSupport

#if canImport(Glibc)
private let streamSocket = CInt(SOCK_STREAM.rawValue)
#else
private let streamSocket = SOCK_STREAM
#endif

/// A port of 127.0.0.1 that no server can be reached at while a function runs: connections are refused, or hang.
///
/// ```swift
/// try await UnreachablePort.with { nobody in
///     let client = APIClient(baseURL: nobody.url)
///     _ = try? await client.call(.get, "users").data()  // Fails in the phase `connect`, with `cannotConnectToHost`.
/// }
/// ```
/// The port is reserved meanwhile, so that no server of another test gets it: a port that was free a moment ago may be
/// in use the next. Afterwards it is released, however the function ends. For a server that accepts connections and
/// never responds, use ``MockServer/failConnections(_:)`` with ``MockServer/ConnectionFault/stall``.
public struct UnreachablePort: Sendable {
    /// The behavior of the port for connecting clients.
    public enum Behavior: Sendable, Hashable, CaseIterable {
        /// The connection is refused immediately.
        case refuses
        /// The connection is neither refused nor accepted, so it fails with the client's own timeout.
        ///
        /// The port listens, and the system's queue of unaccepted connections is full.
        case hangs
    }

    /// The port number.
    public let port: Int

    /// The base URL of the port: `http://127.0.0.1:PORT`, without a trailing slash.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Reserves a port, passes it to a function, and releases it afterwards.
    ///
    /// It takes one file descriptor, or five for ``Behavior/hangs``.
    ///
    /// - Parameters:
    ///   - behavior: The behavior for connecting clients; refused by default.
    ///   - body: The function.
    /// - Returns: The function's result.
    /// - Throws: The system's error if no port is available, and the function's error.
    public static func with<Value>(
        _ behavior: Behavior = .refuses, body: (UnreachablePort) async throws -> Value
    ) async throws -> Value {
        let (port, descriptors) = try hold(behavior)
        defer { for descriptor in descriptors { close(descriptor) } }
        return try await body(UnreachablePort(port: port))
    }

    private static func hold(_ behavior: Behavior) throws -> (port: Int, descriptors: [CInt]) {
        var descriptors: [CInt] = []
        do {
            let holder = try Self.open()
            descriptors.append(holder)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isHeld = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    // Some systems treat a backlog of 0 as the largest one.
                    bind(holder, $0, length) == 0 && (behavior == .refuses || listen(holder, 1) == 0)
                        && getsockname(holder, $0, &length) == 0
                }
            }
            guard isHeld else { throw Self.error() }
            for _ in 0..<(behavior == .hangs ? 4 : 0) {
                // With fewer connections the queue may have room for the client's.
                let descriptor = try Self.open()
                descriptors.append(descriptor)
                withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(descriptor, $0, length) }
                }
            }
            return (Int(UInt16(bigEndian: address.sin_port)), descriptors)
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
    }

    /// Returns a non-blocking socket that child processes do not inherit.
    private static func open() throws -> CInt {
        let descriptor = socket(AF_INET, streamSocket, 0)
        guard descriptor >= 0 else { throw error() }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Returns the last error of the system.
    private static func error() -> IOError { IOError(errnoCode: errno, reason: "no port is available") }
}
