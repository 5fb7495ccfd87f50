// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghRealtime

/// The connection as its sending and receiving tasks see it: they add frames to the outbox, and have the event loop
/// do the rest.
struct FrameQueueWriter: WebSocketFrameQueue, WebSocketReadingControl {
    let outbox: OutboundFrameQueue
    let loop: any EventLoop
    let handler: NIOLoopBound<WebSocketHandler>

    // MARK: Sending

    func withTurns<Result: Sendable>(_ body: (inout SendTurns) -> Result) -> Result { outbox.withTurns(body) }

    func encode(_ header: WebSocketFrame, payload: UnsafeRawBufferPointer) -> ByteBuffer {
        var frame = outbox.room(for: payload.count)
        FrameWriter.write(header, payload: payload, mask: outbox.mask(), to: &frame)
        return frame
    }

    func add(_ frames: [ByteBuffer]) throws(WebSocketError) { scheduleFlush(after: try outbox.add(frames)) }

    /// Schedules a flush on the event loop, unless one is already scheduled.
    func scheduleFlush(after sending: OutboundFrameQueue.Sending) {
        guard sending == .addedFirst else { return }
        let handler = handler
        loop.execute { handler.value.flush() }
    }

    // MARK: Receiving

    func perform(_ demand: InboundMessageQueue.Demand) {
        switch demand {
        case .none: break
        case .resume: act { $0.resume() }
        case .parts, .overflow: act { $0.decide() }
        case .fault: act { $0.taken() }
        }
    }

    func fail(_ fault: WebSocketProtocolError) { act { $0.fail(fault) } }

    /// Calls a method of the handler on the event loop, and flushes.
    func act(_ work: @escaping @Sendable (WebSocketHandler) -> Void) {
        let handler = handler
        loop.execute {
            work(handler.value)
            handler.value.flushIfNeeded()
        }
    }
}
