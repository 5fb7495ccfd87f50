// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
package import Foundation
import Synchronization

/// A network of its own, with nothing in it but loopback: a namespace that one thread lives in.
///
/// What is opened and started on that thread belongs to the namespace, wherever it is used afterwards.
package final class NetworkNamespace: Sendable {
    /// This machine lets no test make one.
    package struct Forbidden: Error, CustomStringConvertible {
        package let description: String
    }

    /// What the thread is to do, in order.
    private final class Jobs: Sendable {
        private let jobs = Mutex<[@Sendable () -> Bool]>([])
        private let count = DispatchSemaphore(value: 0)

        func add(_ job: @escaping @Sendable () -> Bool) {
            jobs.withLock { $0.append(job) }
            count.signal()
        }

        /// Does one after the other, until one says that it was the last.
        func work() {
            while true {
                count.wait()
                guard jobs.withLock({ $0.removeFirst() })() else { return }
            }
        }
    }

    private let jobs = Jobs()
    private static let tool: String? = {
        let places = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"]
        return places.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    private init() {
        let jobs = jobs
        Thread.detachNewThread { jobs.work() }
    }

    deinit { jobs.add { false } }

    /// Makes one; `nil` where this machine forbids it, for a reason that is printed.
    package static func make() async throws -> NetworkNamespace? {
        do {
            guard tool != nil else { throw Forbidden(description: "there is no ip (of iproute2)") }
            let namespace = NetworkNamespace()
            try await namespace.run {
                // The C library's header hides it from Swift.
                guard let symbol = dlsym(nil, "unshare") else { throw Forbidden(description: "there is no unshare") }
                let unshare = unsafeBitCast(symbol, to: (@convention(c) (CInt) -> CInt).self)
                guard unshare(0x4000_0000) == 0 else {
                    throw Forbidden(description: "unshare: \(String(cString: strerror(errno)))")
                }
            }
            try await namespace.ip("link set lo up")
            return namespace
        } catch let forbidden as Forbidden {
            print("No network namespace here, so what a kernel does is left to the recorded bytes: \(forbidden)")
            return nil
        }
    }

    /// Does something on the thread.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            jobs.add {
                continuation.resume(with: Result(catching: work))
                return true
            }
        }
    }

    /// Starts a program in the namespace.
    package func start(
        _ program: String, _ arguments: [String], input: Data = Data()
    ) async throws -> ChildProcess {
        try await run { try ChildProcess(program, arguments, input: input) }
    }

    /// Runs lines of `ip -batch`, all of which have to work.
    package func ip(_ lines: String...) async throws { try await ip(lines) }

    /// Runs lines of `ip -batch`, all of which have to work.
    package func ip(_ lines: [String]) async throws {
        let program = try await start(
            Self.tool ?? "", ["-batch", "-"], input: Data((lines.joined(separator: "\n") + "\n").utf8))
        let outcome = try await program.outcome()
        guard outcome.status == 0 else {
            throw Forbidden(description: "ip \(lines.first ?? ""): \(outcome.errors.prefix(200))")
        }
    }

    /// Whether the kernel knows a kind of device.
    package func knows(_ line: String) async -> Bool { (try? await ip(line)) != nil }

    /// A file of `/proc/net` as the namespace has it.
    package func table(_ name: String) async throws -> String {
        try await run { try String(contentsOfFile: "/proc/thread-self/net/\(name)", encoding: .utf8) }
    }

    /// The daemon of a tun or tap: as long as it is held, packets can pass.
    package final class Daemon: Sendable {
        private let descriptor: CInt

        fileprivate init(_ descriptor: CInt) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    /// Makes a tun or tap with a daemon, which goes with it.
    package func tun(_ name: String, isTap: Bool = false) async throws -> Daemon {
        try await run {
            let descriptor = open("/dev/net/tun", O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { throw Forbidden(description: "/dev/net/tun: \(errno)") }
            // struct ifreq: a name of 16 bytes, then flags: tun or tap, and no head before each packet.
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
