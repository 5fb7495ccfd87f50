// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// An open WebSocket connection over a byte stream: one task reads, one writes, and a timer keeps the deadlines.
///
/// ``WebSocketConnectionCore`` decides; this actor moves the bytes. It lives until the stream has ended.
actor ByteStreamConnection {
    /// The maximum number of bytes of one read, and of one write.
    private static let chunkSize = 64 * 1024

    private let stream: any ByteStream
    private let inbox: InboundMessageQueue
    private let outbox: ByteStreamOutbox
    private let closeTimeout: Duration
    private let time: TimeSource
    private let stopwatch: Stopwatch
    private var core: WebSocketConnectionCore
    private var unread: Data
    /// The task that reads, while the inbox is full.
    private var reader: CheckedContinuation<Void, Never>?
    private var timer: Task<Void, Never>?
    private var timerTime: Int64 = .max
    /// Ends the stream if the last frames cannot be written.
    private var linger: Task<Void, Never>?
    private var hasDisconnected = false
    /// True after the writing task has ended.
    private var hasWritten = false

    /// Creates a connection.
    ///
    /// - Parameters:
    ///   - stream: The stream, after the handshake.
    ///   - early: The bytes that followed the server's response.
    ///   - options: The options of the connection.
    ///   - compression: The agreed compression.
    ///   - inbox: The received messages.
    ///   - outbox: The frames to send.
    ///   - pings: The pings whose callers wait.
    ///   - time: The clock.
    /// - Throws: `WebSocketProtocolError` if there is no memory for the decompression.
    init(
        _ stream: any ByteStream, early: Data, options: WebSocketChannelOptions, compression: WebSocketCompression?,
        inbox: InboundMessageQueue, outbox: ByteStreamOutbox, pings: PendingPings, time: TimeSource
    ) throws(WebSocketProtocolError) {
        self.stream = stream
        self.inbox = inbox
        self.outbox = outbox
        self.time = time
        closeTimeout = options.closeTimeout
        stopwatch = time.stopwatch()
        unread = early
        core = try WebSocketConnectionCore(
            options, compression: compression, inbox: inbox, outbox: outbox, pings: pings, at: 0)
    }

    private var now: Int64 { stopwatch.elapsed.wholeNanoseconds }

    /// Begins to read and write.
    nonisolated func start() {
        Task { await readAll() }
        Task { await writeAll() }
    }

    // MARK: The tasks

    private func readAll() async {
        process()
        do {
            while true {
                while !core.isReading, !hasDisconnected { await withCheckedContinuation { reader = $0 } }
                guard !hasDisconnected, let bytes = try await stream.read(upTo: Self.chunkSize) else { break }
                received(bytes)
            }
            ended(nil)
        } catch {
            ended(error)
        }
    }

    private func writeAll() async {
        do {
            while var batch = await outbox.next() {
                while !batch.isEmpty {
                    let chunk = batch.prefix(Self.chunkSize)
                    try await stream.write(chunk)
                    outbox.wrote(chunk.count)
                    batch = batch.dropFirst(chunk.count)
                }
            }
            if !hasDisconnected { try await stream.closeWriting() }
            hasWritten = true
            disconnect()
        } catch {
            hasWritten = true
            // The reader still takes what the server has sent before, such as a close frame, and then finds the end.
            core.stopSending(Self.text(of: error), underlying: error)
            settle()
        }
    }

    private func received(_ bytes: Data) {
        core.didReceiveBytes(at: now)
        guard core.isListening else { return settle() }
        if unread.isEmpty { unread = bytes } else { unread.append(bytes) }
        process()
    }

    /// Processes the unread bytes.
    private func process() {
        let now = now
        let count = unread.withUnsafeBytes { core.process($0, at: now) }
        unread = count == unread.count ? Data() : unread.dropFirst(count)
        core.endIfProcessed()
        settle()
    }

    /// Does what the core has requested.
    private func settle() {
        if !core.isListening { unread = Data() }
        if core.takeRequests().contains(.disconnect) { disconnect() }
        arm()
        if core.isReading { reader.take()?.resume() }
    }

    /// Handles the end of the stream.
    private func ended(_ error: (any Error)?) {
        // The answer to the server's close frame may not be written yet.
        let isClean = inbox.closure?.isClean == true && error == nil && !hasDisconnected
        core.connectionClosed(Self.text(of: error), underlying: error)
        settle()
        guard isClean else { return disconnect() }
        outbox.finish()
        guard !hasWritten else { return disconnect() }
        linger = Task { [closeTimeout, time, stream] in
            guard (try? await time.sleep(for: closeTimeout)) != nil else { return }
            stream.abort()
        }
    }

    private func disconnect() {
        guard !hasDisconnected else { return }
        hasDisconnected = true
        outbox.discard()
        outbox.finish()
        stream.abort()
        linger?.cancel()
        reader.take()?.resume()
        arm()
    }

    private static func text(of error: (any Error)?) -> String {
        error.map { "the connection ended: \($0)" } ?? "connection ended without a close frame"
    }

    // MARK: Time

    /// Makes sure that the timer fires no later than needed.
    private func arm() {
        guard let wakeTime = core.wakeTime, !core.hasEnded, !hasDisconnected else {
            timer?.cancel()
            (timer, timerTime) = (nil, .max)
            return
        }
        // If the timer fires too early, it is set again. If it would fire too late, it is replaced.
        guard wakeTime < timerTime else { return }
        timer?.cancel()
        timerTime = wakeTime
        let wait = Duration.nanoseconds(max(0, wakeTime - now))
        timer = Task { [weak self, time] in
            guard (try? await time.sleep(for: wait)) != nil else { return }
            await self?.timerFired(wakeTime)
        }
    }

    private func timerFired(_ wakeTime: Int64) {
        // Another timer may have replaced this one just before.
        guard wakeTime == timerTime else { return }
        (timer, timerTime) = (nil, .max)
        core.timerFired(at: max(now, wakeTime), outbox.progress)
        settle()
    }

    // MARK: The caller's demand

    /// Continues reading, after a task has taken something from the inbox.
    func perform(_ demand: InboundMessageQueue.Demand) {
        switch demand {
        case .none: break
        case .resume: if core.resume() { continueReading() }
        case .parts, .overflow:
            core.decide(at: now)
            continueReading()
        case .fault:
            core.taken(at: now)
            settle()
        }
    }

    private func continueReading() {
        // A server that could not answer because the receive buffer was full gets time now.
        core.didReceiveBytes(at: now)
        process()
    }

    func fail(_ fault: WebSocketProtocolError) {
        core.fail(fault, at: now)
        settle()
    }

    func close(_ code: WebSocketCloseCode, reason: String) {
        core.close(code, reason: reason, at: now)
        continueReading()
    }

    func drop() {
        core.drop()
        settle()
    }

    /// Closes the connection because its last reference is gone.
    func abandon() {
        core.abandon(at: now)
        settle()
    }
}

extension Duration {
    /// The duration in nanoseconds, without a fraction of one; limited to some 290 years.
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product &+ attoseconds / 1_000_000_000
    }
}
