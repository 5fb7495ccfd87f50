// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghRealtime

/// The state of read coalescing: bytes of a long body are collected before its reader is woken.
package struct ReadCoalescing {
    /// The number of bytes for which the reader is woken, if they arrive fast.
    package static let bytes = BodyStream.capacity / 2
    /// The minimum number of outstanding bytes for larger reads of the socket.
    static let largeReadThreshold = 4 * bytes
    /// The maximum time that any byte waits for more, in microseconds.
    package static let microseconds = 500
    static let time = TimeAmount.microseconds(Int64(microseconds))

    /// The time at which the reader last kept up; times at which the timer woke it do not count.
    var readerKeptUpAt = NIODeadline.distantPast
    /// True if the timer is running that wakes the reader.
    var wakes = false
    /// True if the socket is read in larger pieces.
    var usesLargeReads = false
}

/// Back-pressure: the socket is not read while the reader of a body has enough bytes.
extension HTTP1ConnectionHandler {
    func read(context: ChannelHandlerContext) {
        if isPaused { hasHeldRead = true } else { context.read() }
    }

    /// Wakes the reader of a body for the bytes of this tick of the loop.
    ///
    /// Waking it costs as much as reading a hundred kilobytes. So if much of the body is outstanding and arrives fast,
    /// bytes are collected first, for at most ``ReadCoalescing/time``.
    func wakeReader(of stream: BodyStream, on loop: any EventLoop) {
        guard parser.remainingLength > ReadCoalescing.bytes else {
            stream.wake()
            return
        }
        if !readCoalescing.usesLargeReads, parser.remainingLength > ReadCoalescing.largeReadThreshold {
            useLargeReads()
        }
        let now = NIODeadline.now()
        let isSoon = now - readCoalescing.readerKeptUpAt < ReadCoalescing.time
        guard stream.wake(atLeast: isSoon ? ReadCoalescing.bytes : 1) else {
            readCoalescing.readerKeptUpAt = now
            return
        }
        guard !readCoalescing.wakes else { return }
        readCoalescing.wakes = true
        loop.assumeIsolated().scheduleTask(in: ReadCoalescing.time) { [self] in
            readCoalescing.wakes = false
            current?.stream?.wake()
        }
    }

    /// Switches to larger reads for a long body: each saved read is a system call and a pass through the pipeline.
    private func useLargeReads() {
        guard let options = context?.channel.syncOptions else { return }
        readCoalescing.usesLargeReads = true
        MallocTuning.retainFreedMemory()
        // The option is also the number of receive buffers that the channel keeps for later reads. With 1 it keeps only
        // its present small buffer, so each large one is freed once its bytes are read.
        try? options.setOption(.maxMessagesPerRead, value: 1)
        try? options.setOption(.recvAllocator, value: GrowingReceiveAllocator(initial: 64 * 1024))
    }

    /// Switches back to NIO's default reads.
    func useDefaultReads() {
        guard readCoalescing.usesLargeReads, let options = context?.channel.syncOptions else { return }
        readCoalescing.usesLargeReads = false
        try? options.setOption(.maxMessagesPerRead, value: 4)
        try? options.setOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator())
    }

    func pauseReading() {
        isPaused = true
        // While the reader does not take the body, the server's time does not run.
        stopPhase()
    }

    func resumeReading(for exchange: Exchange) {
        guard let current, current.exchange === exchange else { return }
        resumeReading()
        restartIdleTimeout(exchange, from: .now())
    }

    /// Drains a body that no caller reads any more.
    ///
    /// At most 64 KiB are read, for a short time, so that the connection can carry another exchange.
    func linger(_ exchange: Exchange) {
        guard let current, current.exchange === exchange, let connection else { return }
        // A running upload has its own timeout, and may not end soon.
        guard pendingUpload == nil else { return exchange.cancel() }
        current.unwanted = 64 * 1024
        resumeReading()
        startPhase(.body, limit: connection.pool.lingeringTime, from: .now())
    }

    func resumeReading() {
        guard isPaused else { return }
        isPaused = false
        if hasHeldRead {
            hasHeldRead = false
            context?.read()
        }
    }
}
