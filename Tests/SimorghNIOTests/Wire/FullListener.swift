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

/// A port that listens and accepts nobody, with its queue full: who connects hears nothing.
final class FullListener {
    struct Failure: Error {}

    let port: Int
    private var descriptors: [CInt] = []

    init() throws {
        let listener = Self.open()
        descriptors = [listener]
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var bound = address
        let isBound = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure() }
        port = Int(UInt16(bigEndian: bound.sin_port))
        for _ in 0..<4 {
            let descriptor = Self.open()
            descriptors.append(descriptor)
            withUnsafePointer(to: &bound) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(descriptor, $0, length) }
            }
        }
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
