// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

#if canImport(Glibc) || canImport(Musl)
private let streamSocket = CInt(SOCK_STREAM.rawValue)
#else
private let streamSocket = SOCK_STREAM
#endif

/// A port of the loopback that is held and answers nobody, so that no other test can be given it meanwhile.
package final class HeldPort: Sendable {
    /// The system gave no port.
    package struct Failure: Error {}

    /// The port's number.
    package let port: Int
    private let descriptors: [CInt]

    /// Holds a port.
    ///
    /// - Parameter isFull: Whether it listens with a queue that is full, so that who connects hears nothing; else who
    ///   connects is refused.
    /// - Throws: ``Failure``.
    package init(isFull: Bool = false) throws {
        let holder = Self.open()
        var descriptors = [holder]
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isHeld = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(holder, $0, length) == 0 && (!isFull || listen(holder, 0) == 0)
                    && getsockname(holder, $0, &length) == 0
            }
        }
        guard isHeld else {
            close(holder)
            throw Failure()
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        for _ in 0..<(isFull ? 4 : 0) {
            let descriptor = Self.open()
            descriptors.append(descriptor)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(descriptor, $0, length) }
            }
        }
        self.descriptors = descriptors
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    private static func open() -> CInt {
        let descriptor = socket(AF_INET, streamSocket, 0)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return descriptor
    }
}
