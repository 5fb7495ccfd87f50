// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Sends one reply, step by step, never more than the connection takes.
final class ReplySender {
    /// What happens to the connection after the reply.
    enum End {
        case keepAlive
        case close
        case reset
    }

    private enum State {
        case running
        case waiting(Scheduled<Void>)
        /// Stalled, or waiting at a gate.
        case held
        case done
    }

    private let threads: ServerThreads
    private let head: ByteBuffer?
    private let delay: Duration
    private let framing: ReplyHead.Framing
    private let end: End
    private var next: () -> Reply.Step?
    private var state = State.running
    private var isPumping = false
    private var gateTask: Task<Void, Never>?
    private var completion: ((End) -> Void)?

    init(_ head: ReplyHead, _ message: Reply.Message, _ threads: ServerThreads) {
        self.threads = threads
        self.head = head.bytes
        delay = message.delay
        framing = head.framing
        end = head.keepsAlive ? .keepAlive : .close
        switch message.body {
        case _ where framing == .none: next = { nil }
        case .steps(_, let steps): next = steps.make()
        case .bytes(let bytes): next = Reply.Steps(bytes.readableBytes > 0 ? [.bytes(bytes)] : []).make()
        }
    }

    init(wire steps: Reply.Steps, _ threads: ServerThreads) {
        self.threads = threads
        head = nil
        delay = .zero
        framing = .none
        end = .close
        next = steps.make()
    }

    func start(_ context: ChannelHandlerContext, _ completion: @escaping (End) -> Void) {
        self.completion = completion
        guard delay > .zero else { return begin(context) }
        let timer = context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(delay.nanoseconds)) {
            self.begin(context)
        }
        state = .waiting(timer)
    }

    private func begin(_ context: ChannelHandlerContext) {
        if let head { context.write(NIOAny(head), promise: nil) }
        goOn(context)
    }

    func resume(_ context: ChannelHandlerContext) {
        if case .running = state { pump(context) }
    }

    /// Ends without a word: the connection is gone.
    func stop() {
        if case .waiting(let timer) = state { timer.cancel() }
        gateTask?.cancel()
        finish(nil)
    }

    private func pump(_ context: ChannelHandlerContext) {
        // A flush may make the connection writable again, which calls back while this still runs.
        guard !isPumping else { return }
        isPumping = true
        var finished: End?
        while finished == nil, case .running = state {
            guard context.channel.isWritable else {
                context.flush()
                if context.channel.isWritable { continue }
                break
            }
            finished = perform(next(), context)
        }
        isPumping = false
        if let finished { finish(finished) }
    }

    /// Does one step; gives the end where there is none left.
    private func perform(_ step: Reply.Step?, _ context: ChannelHandlerContext) -> End? {
        switch step {
        case .bytes(let bytes):
            write(bytes, context)
            return nil
        case .wait(let duration):
            context.flush()
            let timer = context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(duration.nanoseconds)) {
                self.goOn(context)
            }
            state = .waiting(timer)
            return nil
        case .gate(let gate):
            context.flush()
            state = .held
            wait(for: gate, context)
            return nil
        case .stall:
            context.flush()
            state = .held
            return nil
        case .close: return .close
        case .reset:
            context.flush()
            return .reset
        case nil:
            if framing == .chunks { context.write(NIOAny(ByteBuffer(string: "0\r\n\r\n")), promise: nil) }
            context.flush()
            return end
        }
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard bytes.readableBytes > 0 else { return }
        guard framing == .chunks else { return context.write(NIOAny(bytes), promise: nil) }
        var chunk = context.channel.allocator.buffer(capacity: bytes.readableBytes + 16)
        chunk.writeString(String(bytes.readableBytes, radix: 16) + "\r\n")
        chunk.writeImmutableBuffer(bytes)
        chunk.writeString("\r\n")
        context.write(NIOAny(chunk), promise: nil)
    }

    private func wait(for gate: Gate, _ context: ChannelHandlerContext) {
        let here = NIOLoopBound((sender: self, context: context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        threads.began()
        gateTask = Task { [threads] in
            defer { threads.ended() }
            guard (try? await gate.wait()) != nil else { return }
            loop.execute { here.value.sender.goOn(here.value.context) }
        }
    }

    private func goOn(_ context: ChannelHandlerContext) {
        if case .done = state { return }
        state = .running
        pump(context)
    }

    private func finish(_ end: End?) {
        state = .done
        next = { nil }
        let completion = completion.take()
        if let end { completion?(end) }
    }
}

extension Duration {
    /// The whole in nanoseconds, held within what 64 bits take.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard abs(seconds) < 9_000_000_000 else { return seconds < 0 ? .min : .max }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
