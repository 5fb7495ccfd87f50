// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghNIO
import SimorghRealtime

extension FuzzTarget {
    /// WebSocket frames: read alike however the bytes are split, by a state machine that ends once.
    static let webSocketFrames = FuzzTarget(name: "websocket-frames") { bytes in
        let piece = 1 + bytes.below(32)
        let isCompressed = bytes.below(2) == 1
        let input = bytes.rest
        let whole = WebSocketReading(input, piece: max(1, input.count), isCompressed)
        precondition(WebSocketReading(input, piece: piece, isCompressed) == whole, "read differently in pieces")
        precondition(whole.closures <= 1 && whole.closeFrames <= 1, "ended twice")
    }

    /// Compressed messages: decompressed alike however they are split and with any output space, within the limit.
    static let webSocketDeflate = FuzzTarget(name: "websocket-deflate") { bytes in
        let piece = 1 + bytes.below(32)
        let room = 1 + bytes.below(256) * 16
        let bits = 9 + bytes.below(7)
        let input = bytes.rest
        let whole = inflated(input, bits, piece: max(1, input.count), room: 1 << 16)
        precondition(inflated(input, bits, piece: piece, room: room) == whole, "decompressed differently in pieces")
        // A compressed message decompresses to the original.
        guard let deflater = MessageDeflater(windowBits: bits, forgetsContext: false) else { return }
        var packed = ByteBuffer()
        input.withUnsafeBytes { deflater.compress($0, to: &packed, endsMessage: true) }
        precondition(
            inflated(Array(packed.readableBytesView), bits, piece: piece, room: room) == input, "the message differs")
    }

    /// Text: validated like the standard library, however it is split.
    static let webSocketText = FuzzTarget(name: "websocket-text") { bytes in
        let piece = 1 + bytes.below(16)
        let input = bytes.rest
        var check = UTF8Validator()
        var isText = true
        for start in stride(from: 0, to: input.count, by: piece) where isText {
            isText = input[start..<min(start + piece, input.count)].withUnsafeBytes { check.take($0) }
        }
        precondition(
            (isText && check.isComplete) == (String(validating: input, as: UTF8.self) != nil), "validated differently")
    }

    /// Returns the message, the beginning of a decompression bomb, and `nil` for corrupt data.
    private static func inflated(_ bytes: [UInt8], _ bits: Int, piece: Int, room: Int) -> [UInt8]? {
        guard let inflater = MessageInflater(windowBits: bits, forgetsContext: false) else { return nil }
        var result: [UInt8] = []
        var rest = bytes[...]
        let most = 1 << 18
        do {
            while !rest.isEmpty, result.count < most {
                let part = Array(rest.prefix(piece))
                var output = ByteBuffer()
                let step: Result<MessageInflater.Progress, WebSocketProtocolError> = part.withUnsafeBytes { input in
                    Result { () throws(WebSocketProtocolError) in try inflater.inflate(input, to: &output, upTo: room) }
                }
                let progress = try step.get()
                precondition(
                    output.readableBytes == progress.produced && progress.produced <= room, "more than the output space"
                )
                precondition(progress.taken > 0 || progress.produced == room, "no progress")
                result += output.readableBytesView
                rest = rest.dropFirst(progress.taken)
            }
            while result.count < most {
                var output = ByteBuffer()
                let given = try inflater.end(to: &output, upTo: room)
                result += output.readableBytesView
                if given < room { break }
            }
            return Array(result.prefix(most))
        } catch {
            return nil
        }
    }
}

/// The frames and actions caused by a server's bytes.
private struct WebSocketReading: Equatable {
    var frames: [WebSocketFrame] = []
    var answers: [WebSocketProtocolStateMachine.Action] = []
    var closures = 0
    var closeFrames = 0

    init(_ bytes: [UInt8], piece: Int, _ isCompressed: Bool) {
        var machine = WebSocketProtocolStateMachine(WebSocketChannelOptions(), at: 0)
        var unread: [UInt8] = []
        var current: (frame: WebSocketFrame, part: WebSocketProtocolStateMachine.FrameRole, payload: [UInt8])?
        for start in stride(from: 0, to: bytes.count, by: piece) {
            unread += bytes[start..<min(start + piece, bytes.count)]
            do throws(WebSocketProtocolError) {
                while machine.isListening {
                    if let (frame, part, payload) = current {
                        let count = min(frame.length - payload.count, unread.count)
                        current?.payload += unread.prefix(count)
                        unread.removeFirst(count)
                        guard payload.count + count == frame.length else { break }
                        let whole = current?.payload ?? []
                        current = nil
                        guard case .control(let opcode) = part else { continue }
                        perform(try machine.didReceiveControlFrame(opcode, payload: whole, at: 1))
                    } else {
                        let head: Result<(frame: WebSocketFrame, size: Int)?, WebSocketProtocolError> =
                            unread.withUnsafeBytes {
                                bytes in
                                Result { () throws(WebSocketProtocolError) in
                                    try WebSocketFrame.read(bytes, mayBeCompressed: isCompressed)
                                }
                            }
                        guard let (frame, size) = try head.get() else { break }
                        precondition(size <= unread.count && frame.length >= 0)
                        unread.removeFirst(size)
                        frames.append(frame)
                        current = (frame, try machine.didReceiveHeader(frame), [])
                    }
                }
            } catch {
                perform(machine.didDetectViolation(error, allMessagesTaken: true, at: 1))
            }
        }
        perform(machine.connectionClosed("the end"))
    }

    private mutating func perform(_ actions: [WebSocketProtocolStateMachine.Action]) {
        for action in actions {
            if case .finish = action { closures += 1 }
            if case .sendClose(let code, let reason) = action {
                closeFrames += 1
                precondition(code?.isSendable != false && reason.utf8.count <= 123, "an invalid close frame")
            }
        }
        answers += actions
    }
}
