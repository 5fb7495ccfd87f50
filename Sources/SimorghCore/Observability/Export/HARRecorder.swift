// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghSupport
import Synchronization

/// A recorder of exchanges, for a browser's developer tools or another viewer of HAR files.
///
/// ```swift
/// let recorder = HARRecorder()
/// let watched = client.with { $0.networkInterceptors.append(recorder.interceptor) }
/// let user: User = try await watched.get("users/7")
/// try await recorder.write(to: "session.har")
/// ```
/// Each attempt on the network is an entry, with the header fields as they were sent. The engine reports all fields in
/// order, including `Host`, `Content-Length` and the pseudo-header fields of HTTP/2; another transport may add fields
/// that it does not report. Secrets are redacted while recording, so that the file can be shared; use `redaction` for
/// additional secrets.
public final class HARRecorder: Sendable {
    private struct State {
        var entries = Deque<RecordedExchange>()
        var dropped = 0
        /// The number of body bytes that each exchange keeps.
        var sizes: [ObjectIdentifier: Int] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())
    private let rules: RedactionRules
    private let maximumEntries: Int
    private let maximumBodyBytes: Int
    private let maximumBytes: Int
    private let time: TimeSource

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - redaction: The redaction rules. Default: credentials and similar secrets.
    ///   - maximumEntries: The largest number of exchanges. Default: 1000. Older ones are dropped, as the file reports.
    ///   - maximumBodyBytes: The largest part of each body to keep, in bytes. Default: 256 KiB.
    ///   - maximumBytes: The largest size of all bodies together, in bytes. Default: 64 MiB. If exceeded, the oldest
    ///     exchanges are dropped, too, except the last one.
    ///   - time: The clock for dates and durations. Default: the system's clocks.
    public init(
        redaction: RedactionRules = .standard, maximumEntries: Int = 1000, maximumBodyBytes: Int = 256 * 1024,
        maximumBytes: Int = 64 * 1024 * 1024, time: TimeSource = .system
    ) {
        rules = redaction
        self.maximumEntries = max(1, maximumEntries)
        self.maximumBodyBytes = max(0, maximumBodyBytes)
        self.maximumBytes = max(0, maximumBytes)
        self.time = time
    }

    /// Sends a request, and records the request and its response.
    func recording(
        _ request: TransportRequest, send: @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var request = request
        let wire = request.options.recordWire(isDetailed: true)
        let exchange = RecordedExchange(request, wire: wire, rules: rules, upTo: maximumBodyBytes, time: time) {
            [weak self] id, bytes in
            self?.didGrow(id, by: bytes)
        }
        append(exchange)
        do {
            var response = try await send(request)
            exchange.received(response)
            response.body = response.body.watched(by: exchange)
            return response
        } catch {
            exchange.failed(error)
            throw error
        }
    }

    /// The number of recorded exchanges.
    public var count: Int { state.withLock { $0.entries.count } }

    /// Removes all exchanges.
    public func removeAll() {
        let forgotten = state.withLock { state in
            defer { state = State() }
            return Array(state.entries)
        }
        for exchange in forgotten { exchange.forget() }
    }

    /// Returns the exchanges as a HAR file: JSON in UTF-8.
    ///
    /// An exchange that is still in progress is included as far as it is known.
    ///
    /// - Returns: The file.
    /// - Throws: `EncodingError`, which should not happen.
    public func export() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(document)
    }

    /// Writes the exchanges to a file that only its owner can read.
    ///
    /// - Parameter path: The path. An existing file is replaced when the new one is complete.
    /// - Throws: The error of the file system.
    public func write(to path: String) async throws {
        let data = try export()
        try await FileQueue.run { () throws(any Error) in
            let draft = TemporaryFiles.name(for: path)
            // Created with owner-only permissions, and never through a file or link that another user has put there.
            let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.failure(path, code: errno) }
            var code = Self.writeAll(data, to: descriptor)
            if close(descriptor) != 0, code == 0 { code = errno }
            if code == 0, rename(draft, path) != 0 { code = errno }
            guard code == 0 else {
                unlink(draft)
                throw Self.failure(path, code: code)
            }
        }
    }

    private static func failure(_ path: String, code: Int32) -> InvalidRequestError {
        InvalidRequestError(.unreadableFile, message: "\(path) cannot be written: \(String(cString: strerror(code)))")
    }

    /// - Returns: The `errno` of a failure; 0 if everything was written.
    private static func writeAll(_ data: Data, to descriptor: Int32) -> Int32 {
        data.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) -> Int32 in
            var written = 0
            while written < buffer.count {
                let count = systemWrite(descriptor, bytes: UnsafeRawBufferPointer(rebasing: buffer[written...]))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : EIO }
                written += count
            }
            return 0
        }
    }

    package var document: HARDocument {
        let (exchanges, dropped) = state.withLock { (Array($0.entries), $0.dropped) }
        return HARDocument(
            entries: exchanges.map(\.entry), comment: dropped > 0 ? "\(dropped) older exchanges were dropped" : nil)
    }

    private func append(_ exchange: RecordedExchange) {
        let dropped = state.withLock { state in
            state.entries.append(exchange)
            state.sizes[ObjectIdentifier(exchange)] = exchange.requestBytes
            state.bytes += exchange.requestBytes
            return dropOldest(&state)
        }
        for exchange in dropped { exchange.forget() }
    }

    /// Adds bytes that an exchange keeps.
    ///
    /// Ignores an exchange that was already dropped.
    private func didGrow(_ id: ObjectIdentifier, by bytes: Int) {
        let dropped = state.withLock { state -> [RecordedExchange] in
            guard let before = state.sizes[id] else { return [] }
            state.sizes[id] = before + bytes
            state.bytes += bytes
            return dropOldest(&state)
        }
        for exchange in dropped { exchange.forget() }
    }

    /// Removes and returns the oldest exchanges above the limits.
    private func dropOldest(_ state: inout State) -> [RecordedExchange] {
        var dropped: [RecordedExchange] = []
        while state.entries.count > maximumEntries || (state.bytes > maximumBytes && state.entries.count > 1) {
            guard let oldest = state.entries.popFirst() else { break }
            state.bytes -= state.sizes.removeValue(forKey: ObjectIdentifier(oldest)) ?? 0
            state.dropped += 1
            dropped.append(oldest)
        }
        return dropped
    }
}

/// Calls the system's `write`; outside the type, because there the name refers to the type's own method.
private func systemWrite(_ descriptor: Int32, bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension HARRecorder {
    /// The interceptor that records.
    ///
    /// Add it to ``APIClient/Configuration/networkInterceptors``, so that it sees each attempt on the network.
    public var interceptor: Interceptor {
        Interceptor { [self] request, next in try await recording(request, send: next) }
    }
}
