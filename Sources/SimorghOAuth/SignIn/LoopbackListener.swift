// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghCore
import SimorghSupport
import Synchronization

/// A listener on 127.0.0.1 that receives one redirect of a browser (RFC 8252, section 7.3), and closes.
///
/// A request that does not belong to the sign-in gets an error page and changes nothing: any page in the browser, and any
/// program on this machine, can send one.
///
/// It waits with `poll` on a thread of its own, so it needs neither the engine nor a thread of the task pool.
final class LoopbackListener: Sendable {
    /// The largest number of connections at a time; browsers open some that they do not use.
    private static let maximumConnections = 16
    /// The time in which a connection must send its request.
    private static let connectionTimeout = Duration.seconds(10)

    /// The relation of a request to the sign-in.
    enum Relation: Sendable, Equatable {
        /// The redirect of the sign-in, with a code or an error of the server.
        case valid
        /// A redirect of the sign-in that cannot be used.
        case invalid
        /// A request without the state of the sign-in, with the error code that it claims.
        case foreign(error: String?)
    }

    /// The reason to end the wait early, as the byte in the pipe.
    private enum Ending: UInt8 {
        case cancelled, expired, failed
    }

    /// The port.
    let port: UInt16
    private let descriptor: CInt
    /// The pipe that ends the wait.
    private let wakeUp: (reader: CInt, writer: CInt)
    private let isClosed = Atomic(false)
    /// The error of the program that opens the browser.
    private let openError = Mutex<(any Error)?>(nil)

    /// Opens a listener.
    ///
    /// - Parameter port: The port; 0 for any free one.
    /// - Throws: An error if the port cannot be used.
    init(port: UInt16) throws(OAuthError) {
        let descriptor = socket(AF_INET, Self.number(SOCK_STREAM), 0)
        guard descriptor >= 0 else { throw Self.failure("could not be opened") }
        // A fixed port may still have closed connections of an earlier sign-in.
        var isOn: CInt = port == 0 ? 0 : 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let size = length
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        var ends: [CInt] = [-1, -1]
        guard isOpen, pipe(&ends) == 0 else {
            let error = Self.failure("could not listen on port \(port)")
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        for end in ends + [descriptor] { Self.prepare(end) }
        wakeUp = (ends[0], ends[1])
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        closePort()
        for descriptor in [wakeUp.reader, wakeUp.writer] { close(descriptor) }
    }

    private func closePort() {
        if !isClosed.exchange(true, ordering: .acquiringAndReleasing) { close(descriptor) }
    }

    private func end(_ ending: Ending) {
        var byte = ending.rawValue
        _ = withUnsafeBytes(of: &byte) { PipeWriting.put($0, into: wakeUp.writer) }
    }

    /// Ends the wait with an error, such as that of opening the browser.
    func fail(with error: any Error) {
        openError.withLock { $0 = error }
        end(.failed)
    }

    /// Waits for the redirect; the port is closed afterwards.
    ///
    /// Call this method once.
    ///
    /// - Parameters:
    ///   - path: The path of the redirect.
    ///   - limit: The longest wait.
    ///   - time: The clock of the limit.
    ///   - relation: Returns the relation of a target to the sign-in; the browser's page says if it is valid.
    /// - Returns: The target of the request, which is also returned if it is not valid.
    /// - Throws: An error if no redirect came in time, or that of ``fail(with:)``; `CancellationError` if the task is
    ///   cancelled.
    func redirect(
        to path: String, within limit: Duration, time: TimeSource, relation: @escaping @Sendable (String) -> Relation
    ) async throws -> String {
        let timer = Task { [self] in
            guard (try? await time.sleep(for: limit)) != nil else { return }
            end(.expired)
        }
        defer { timer.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "simorgh.oauth.listener").async { [self] in
                    let outcome = run(path: path, relation: relation)
                    closePort()
                    continuation.resume(returning: outcome)
                }
            }
        } onCancel: {
            end(.cancelled)
        }
        try Task.checkCancellation()
        if case .failure = outcome, let error = openError.withLock({ $0 }) { throw error }
        return try outcome.get()
    }

    /// A connection that has not sent its whole request.
    private struct Connection {
        let descriptor: CInt
        let deadline: ContinuousClock.Instant
        var bytes: [UInt8] = []
    }

    private func run(path: String, relation: (String) -> Relation) -> Result<String, OAuthError> {
        let clock = ContinuousClock()
        var connections: [Connection] = []
        var foreign: Relation?
        defer { for connection in connections { close(connection.descriptor) } }
        while true {
            let now = clock.now
            for connection in connections where connection.deadline <= now { close(connection.descriptor) }
            connections.removeAll { $0.deadline <= now }
            let next = connections.map(\.deadline).min()
            let milliseconds = next.map { CInt(min(60_000, now.duration(to: $0) / .milliseconds(1) + 1)) } ?? -1
            var waiting = [
                pollfd(fd: wakeUp.reader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            waiting += connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&waiting, nfds_t(waiting.count), milliseconds) >= 0 || errno == EINTR else {
                return .failure(Self.failure("failed"))
            }
            if waiting[0].revents != 0 { return .failure(endingError(after: foreign)) }
            var open: [Connection] = []
            for (index, var connection) in connections.enumerated() {
                guard waiting[index + 2].revents != 0 else {
                    open.append(connection)
                    continue
                }
                switch Self.read(&connection, path: path, port: port) {
                case .incomplete: open.append(connection)
                case .refused(let status): Self.respond(status, to: connection)
                case .target(let target):
                    let kind = relation(target)
                    Self.respond(kind == .valid ? 200 : 400, to: connection)
                    guard case .foreign = kind else {
                        connections = open + connections[(index + 1)...]
                        return .success(target)
                    }
                    foreign = kind
                }
            }
            connections = open
            if waiting[1].revents != 0 {
                let accepted = accept(descriptor, nil, nil)
                if accepted >= 0 {
                    Self.prepare(accepted)
                    // The oldest one has been silent for longest: the connection of the redirect must not wait for it.
                    if connections.count >= Self.maximumConnections { close(connections.removeFirst().descriptor) }
                    connections.append(
                        Connection(descriptor: accepted, deadline: clock.now.advanced(by: Self.connectionTimeout)))
                } else if ![EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED].contains(errno) {
                    // Without a free descriptor the connection stays in the backlog, and `poll` would return at once.
                    return .failure(Self.failure("could not accept a connection"))
                }
            }
        }
    }

    /// Returns the error for the byte in the pipe.
    private func endingError(after foreign: Relation?) -> OAuthError {
        var byte: UInt8 = 0
        let isExpired = systemRead(wakeUp.reader, &byte, 1) == 1 && Ending(rawValue: byte) == .expired
        guard isExpired else { return OAuthError(.listenerFailed, message: "the sign-in was cancelled") }
        guard case .foreign(let code)? = foreign else {
            return OAuthError(.expired, message: "the sign-in was not completed in time; begin again")
        }
        let detail = code.map { ", whose error was \($0)," } ?? ""
        return OAuthError(
            .stateMismatch,
            message:
                "the sign-in was not completed in time, and a redirect\(detail) did not have its state: it may have been"
                + " an attack, or the server left the state out; begin again")
    }

    /// Reads what a connection has sent; at its end, or after an error, the request is refused.
    private static func read(_ connection: inout Connection, path: String, port: UInt16) -> LoopbackRequest {
        var chunk = [UInt8](repeating: 0, count: 8 * 1024)
        let count = recv(connection.descriptor, &chunk, chunk.count, 0)
        guard count > 0 else {
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? .incomplete : .refused(status: 400)
        }
        let checked = connection.bytes.count
        connection.bytes += chunk[..<count]
        return LoopbackRequest(connection.bytes, path: path, port: port, checked: checked)
    }

    /// Sends the page and closes the connection.
    private static func respond(_ status: Int, to connection: Connection) {
        // Smaller than the buffer of a new socket, so that one call writes it.
        LoopbackPage.bytes(status: status).withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: PipeWriting.pieceBytes) {
                let piece = bytes[start..<min(start + PipeWriting.pieceBytes, bytes.count)]
                _ = PipeWriting.put(UnsafeRawBufferPointer(rebasing: piece), into: connection.descriptor)
            }
        }
        shutdown(connection.descriptor, CInt(SHUT_WR))
        close(connection.descriptor)
    }

    /// Makes a descriptor non-blocking, and hides it from child processes, such as the browser.
    ///
    /// A process that is started between the opening of a descriptor and this call inherits it.
    private static func prepare(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        PipeWriting.prepare(descriptor)
    }

    // The kind of a socket is a number on some systems, and an enumeration on others.
    private static func number(_ kind: CInt) -> CInt { kind }
    private static func number<Kind: RawRepresentable>(_ kind: Kind) -> CInt where Kind.RawValue == UInt32 {
        CInt(kind.rawValue)
    }

    private static func failure(_ message: String) -> OAuthError {
        let reason = String(cString: strerror(errno))
        return OAuthError(.listenerFailed, message: "the listener for the sign-in \(message): \(reason)")
    }
}

/// The system call, which the method of the same name hides.
private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
