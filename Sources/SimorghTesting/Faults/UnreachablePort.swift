// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghSupport

#if canImport(Glibc)
private let streamSocket = CInt(SOCK_STREAM.rawValue)
#else
private let streamSocket = SOCK_STREAM
#endif

/// A port of 127.0.0.1 that nobody can be reached at, for as long as a function runs: what connects is refused, or hears nothing.
///
/// ```swift
/// try await UnreachablePort.with { nobody in
///     let client = APIClient(baseURL: nobody.url)
///     _ = try? await client.call(.get, "users").data()  // Fails in the phase `connect`, with `cannotConnectToHost`.
/// }
/// ```
/// It is held meanwhile, so that no server of another test gets it: a port that was free a moment ago may be in use the
/// next. Afterwards it is given back, however the function ends. A server that takes connections and never answers is
/// ``MockServer/failConnections(_:)`` with ``MockServer/ConnectionFault/stall``.
public struct UnreachablePort: Sendable {
    /// What happens to who connects.
    public enum Behaviour: Sendable, Hashable, CaseIterable {
        /// The connection is refused at once.
        case refuses
        /// The connection is neither refused nor accepted, so that it ends when the client's own limit is over.
        ///
        /// The port listens, and the system's queue of those whom nobody has accepted is full.
        case hangs
    }

    /// The port's number.
    public let port: Int

    /// Where nobody is reached: `http://127.0.0.1:PORT`, without a slash at the end.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Holds a port, hands it to a function, and gives it back when that is done.
    ///
    /// It takes one descriptor of the process, or five where it hangs.
    ///
    /// - Parameters:
    ///   - behaviour: What happens to who connects; it is refused by default.
    ///   - body: What to do with it.
    /// - Returns: What the function returns.
    /// - Throws: What the system says when it gives no port, and what the function throws.
    public static func with<Value>(
        _ behaviour: Behaviour = .refuses, _ body: (UnreachablePort) async throws -> Value
    ) async throws -> Value {
        let (port, descriptors) = try hold(behaviour)
        defer { for descriptor in descriptors { close(descriptor) } }
        return try await body(UnreachablePort(port: port))
    }

    private static func hold(_ behaviour: Behaviour) throws -> (port: Int, descriptors: [CInt]) {
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
                    // Some systems take a queue of none for the longest there is.
                    bind(holder, $0, length) == 0 && (behaviour == .refuses || listen(holder, 1) == 0)
                        && getsockname(holder, $0, &length) == 0
                }
            }
            guard isHeld else { throw Self.error() }
            for _ in 0..<(behaviour == .hangs ? 4 : 0) {
                // With one less the queue may have room for who is to wait.
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

    /// A socket that blocks nobody, and that no program which is started meanwhile keeps open.
    private static func open() throws -> CInt {
        let descriptor = socket(AF_INET, streamSocket, 0)
        guard descriptor >= 0 else { throw error() }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// What the system said last.
    private static func error() -> IOError { IOError(errnoCode: errno, reason: "the system gives no port") }
}
