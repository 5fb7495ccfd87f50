// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
package import Foundation
import Synchronization

/// A network namespace that contains only loopback.
///
/// A thread enters it for a system call and returns: a descriptor opened inside belongs to the namespace wherever it is
/// used afterwards. No thread is created inside, as it would stay there for its whole life.
package final class NetworkNamespace: Sendable {
    /// The machine does not permit a network namespace.
    package struct Forbidden: Error, CustomStringConvertible {
        package let description: String
    }

    private let inside: CInt
    private let outside: CInt
    private static let tool: String? = {
        let paths = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"]
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    private init(inside: CInt, outside: CInt) {
        self.inside = inside
        self.outside = outside
    }

    deinit {
        close(inside)
        close(outside)
    }

    /// Creates a namespace; returns `nil` and prints the reason if the machine forbids it.
    package static func make() async throws -> NetworkNamespace? {
        do {
            guard tool != nil else { throw Forbidden(description: "there is no ip (of iproute2)") }
            let namespace = try unshared()
            try await namespace.ip("link set lo up")
            return namespace
        } catch let forbidden as Forbidden {
            print("No network namespace here, so kernel behavior is tested with recorded bytes only: \(forbidden)")
            return nil
        }
    }

    /// The namespace of the calling thread.
    package static var own: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self/ns/net")) ?? ""
    }

    private static func unshared() throws -> NetworkNamespace {
        let outside = try opened()
        guard try call("unshare", as: (@convention(c) (CInt) -> CInt).self)(0x4000_0000) == 0 else {
            close(outside)
            throw Forbidden(description: "unshare: \(String(cString: strerror(errno)))")
        }
        defer { enter(outside) }
        return NetworkNamespace(inside: try opened(), outside: outside)
    }

    private static func opened() throws -> CInt {
        let descriptor = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Forbidden(description: "/proc/thread-self/ns/net: \(errno)") }
        return descriptor
    }

    /// Returns a function of the C library that its header hides from Swift.
    private static func call<Function>(_ name: String, as type: Function.Type) throws -> Function {
        guard let symbol = dlsym(nil, name) else { throw Forbidden(description: "there is no \(name)") }
        return unsafeBitCast(symbol, to: type)
    }

    private static func enter(_ descriptor: CInt) {
        let setns = try? call("setns", as: (@convention(c) (CInt, CInt) -> CInt).self)
        // A thread left in the wrong network would break every test after it.
        guard setns?(descriptor, 0x4000_0000) == 0 else { preconditionFailure("setns: \(errno)") }
    }

    /// Runs system calls in the namespace; they must not create a thread.
    package func run<Value>(_ calls: () throws -> Value) rethrows -> Value {
        Self.enter(inside)
        defer { Self.enter(outside) }
        return try calls()
    }

    /// Starts a program in the namespace.
    package func start(_ program: String, arguments: [String], input: Data = Data()) throws -> ChildProcess {
        try ChildProcess(program, arguments: arguments, input: input) { start in try run(start) }
    }

    /// Runs lines of `ip -batch`; all must succeed.
    package func ip(_ lines: String...) async throws { try await ip(lines) }

    /// Runs lines of `ip -batch`; all must succeed.
    ///
    /// Lines without a family are for IPv4, or for IPv6.
    package func ip(_ lines: [String], isIPv6: Bool = false) async throws {
        let program = try start(
            Self.tool ?? "", arguments: (isIPv6 ? ["-6"] : []) + ["-batch", "-"],
            input: Data((lines.joined(separator: "\n") + "\n").utf8))
        let outcome = try await program.outcome()
        guard outcome.status == 0 else {
            throw Forbidden(description: "ip \(lines.first ?? ""): \(outcome.errors.prefix(200))")
        }
    }

    /// Returns true if the kernel supports a kind of device.
    package func supports(_ line: String) async -> Bool { (try? await ip(line)) != nil }

    /// Returns the content of a file of `/proc/net` in the namespace.
    package func table(_ name: String) throws -> String {
        try run { try String(contentsOfFile: "/proc/thread-self/net/\(name)", encoding: .utf8) }
    }

    /// The daemon of a tun or tap device: packets can pass while it is retained.
    package final class Daemon: Sendable {
        private let descriptor: CInt

        fileprivate init(_ descriptor: CInt) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    /// Creates a tun or tap device with a daemon; the device is removed with the daemon.
    package func tun(_ name: String, isTap: Bool = false) throws -> Daemon {
        try run {
            let descriptor = open("/dev/net/tun", O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { throw Forbidden(description: "/dev/net/tun: \(errno)") }
            // struct ifreq: a name of 16 bytes, then flags: tun or tap, and no packet information header.
            var request = [UInt8](repeating: 0, count: 40)
            for (index, byte) in name.utf8.prefix(15).enumerated() { request[index] = byte }
            request[16] = isTap ? 0x02 : 0x01
            request[17] = 0x10
            let result = request.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { ioctl(descriptor, 0x4004_54CA, $0) } ?? -1
            }
            guard result == 0 else {
                close(descriptor)
                throw Forbidden(description: "TUNSETIFF: \(errno)")
            }
            return Daemon(descriptor)
        }
    }
}
#endif
