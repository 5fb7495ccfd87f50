// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Keeps the exchanges of clients, to be looked at in a browser's developer tools or another viewer of HAR files.
///
/// ```swift
/// let recorder = HARRecorder()
/// let watched = client.with { $0.networkInterceptors.append(recorder.interceptor) }
/// let user: User = try await watched.get("users/7")
/// try await recorder.write(to: "session.har")
/// ```
/// Each attempt on the wire is an entry, with the fields as they were sent. Secrets are hidden as it records, so that the file
/// may be passed on; what you know to be secret besides is for `redaction`.
public final class HARRecorder: Sendable {
    private struct State {
        var entries = ItemQueue<HARExchange>()
        var dropped = 0
    }

    private let state = Mutex(State())
    private let rules: RedactionRules
    private let maximumEntries: Int
    private let maximumBodyBytes: Int
    private let time: TimeSource

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - redaction: What is hidden; credentials and the like by default.
    ///   - maximumEntries: How many exchanges are kept; 1000 by default. The oldest are dropped, which the file says.
    ///   - maximumBodyBytes: How much of each body is kept; 256 KiB by default.
    ///   - time: Where dates and durations are taken from; the system's clocks by default.
    public init(
        redaction: RedactionRules = .standard, maximumEntries: Int = 1000, maximumBodyBytes: Int = 256 * 1024,
        time: TimeSource = .system
    ) {
        rules = redaction
        self.maximumEntries = max(1, maximumEntries)
        self.maximumBodyBytes = max(0, maximumBodyBytes)
        self.time = time
    }

    /// Sends a request, and keeps what is sent and what comes.
    func recording(
        _ request: TransportRequest, _ send: @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let exchange = HARExchange(request, rules, upTo: maximumBodyBytes, time)
        keep(exchange)
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

    /// How many exchanges are kept.
    public var count: Int { state.withLock { $0.entries.count } }

    /// Forgets all exchanges.
    public func removeAll() { state.withLock { $0 = State() } }

    /// The exchanges as a HAR file: JSON in UTF-8.
    ///
    /// An exchange that is still under way is in it as far as it has come.
    ///
    /// - Returns: The file.
    /// - Throws: `EncodingError`, which should not happen.
    public func export() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(document)
    }

    /// Writes the exchanges to a file that nobody but its owner may read.
    ///
    /// - Parameter path: The file; one that is there is replaced when the new one is whole.
    /// - Throws: What the file system says.
    public func write(to path: String) async throws {
        let data = try export()
        try await FileQueue.run { () throws(any Error) in
            let draft = DraftFiles.name(for: path)
            try data.write(to: URL(filePath: draft))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: draft)
            guard rename(draft, path) == 0 else {
                let reason = String(cString: strerror(errno))
                unlink(draft)
                throw InvalidRequest(.unreadableFile, "\(path) cannot be written: \(reason)")
            }
        }
    }

    package var document: HARDocument {
        let (exchanges, dropped) = state.withLock { ($0.entries.all, $0.dropped) }
        return HARDocument(
            entries: exchanges.map(\.entry), comment: dropped > 0 ? "\(dropped) older exchanges were dropped" : nil)
    }

    private func keep(_ exchange: HARExchange) {
        state.withLock { state in
            if state.entries.count >= maximumEntries {
                state.entries.popFirst()
                state.dropped += 1
            }
            state.entries.append(exchange)
        }
    }
}

extension ItemQueue {
    /// The items in their order.
    fileprivate var all: [Item] {
        var copy = self
        var items: [Item] = []
        while let item = copy.popFirst() { items.append(item) }
        return items
    }
}
