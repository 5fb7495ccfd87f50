// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import TestSupport
import Testing

@Suite("WebSocket protocol state machine (RFC 6455)", .timeLimit(.minutes(5)))
struct WebSocketProtocolStateMachineTests {
    private static let second: Int64 = 1_000_000_000

    private static func machine(_ change: (inout WebSocketChannelOptions) -> Void = { _ in })
        -> WebSocketProtocolStateMachine
    {
        var options = WebSocketChannelOptions()
        change(&options)
        return WebSocketProtocolStateMachine(options, at: 0)
    }

    private static func closure(_ actions: [WebSocketProtocolStateMachine.Action]) -> WebSocketCloseInfo? {
        actions.lazy.compactMap { if case .finish(let closure) = $0 { closure } else { nil } }.first
    }

    @Test("A message is one frame or many, with control frames in between")
    func fragments() throws {
        var machine = Self.machine()
        #expect(
            try machine.didReceiveHeader(WebSocketFrame(.text, length: 1)) == .beginning(.text, isCompressed: false))
        #expect(
            try machine.didReceiveHeader(WebSocketFrame(.binary, length: 1, isFinal: false))
                == .beginning(.binary, isCompressed: false))
        #expect(try machine.didReceiveHeader(WebSocketFrame(.ping, length: 1)) == .control(.ping))
        #expect(try machine.didReceiveControlFrame(.ping, payload: [7], at: 0) == [.sendPong([7])])
        #expect(try machine.didReceiveHeader(WebSocketFrame(.continuation, length: 1, isFinal: false)) == .middle)
        #expect(try machine.didReceiveHeader(WebSocketFrame(.continuation, length: 1)) == .middle)
        #expect(throws: WebSocketProtocolError.self) {
            try machine.didReceiveHeader(WebSocketFrame(.continuation, length: 1))
        }
    }

    @Test("A message cannot begin within another")
    func nested() throws {
        var machine = Self.machine()
        _ = try machine.didReceiveHeader(WebSocketFrame(.text, length: 1, isFinal: false))
        #expect(throws: WebSocketProtocolError.self) { try machine.didReceiveHeader(WebSocketFrame(.text, length: 1)) }
    }

    @Test(
        "A Close frame of the server is answered with its code, and closes the connection cleanly",
        arguments: [
            ([], nil, 1005, ""), ([0x03, 0xE8], 1000, 1000, ""), ([0x03, 0xE9, 0x62, 0x79, 0x65], 1001, 1001, "bye"),
            ([0x0F, 0xA0], 4000, 4000, ""),
        ] as [([UInt8], WebSocketCloseCode?, WebSocketCloseCode, String)])
    func closeFrame(payload: [UInt8], answer: WebSocketCloseCode?, code: WebSocketCloseCode, reason: String) throws {
        var machine = Self.machine()
        let actions = try machine.didReceiveControlFrame(.close, payload: payload, at: 0)
        #expect(
            actions == [
                .sendClose(answer, ""),
                .finish(WebSocketCloseInfo(code: code, reason: reason, isClean: true, initiator: .remote)),
            ])
        #expect(!machine.isOpen)
        #expect(try machine.didReceiveHeader(WebSocketFrame(.text, length: 1)) == .ignored)
        #expect(machine.close(.normal, reason: "", at: 1) == [])
        #expect(machine.connectionClosed("reset") == [])
        #expect(machine.wakeTime == nil)
    }

    @Test(
        "An invalid Close frame is a fault",
        arguments: [
            [0x03], [0x03, 0xED], [0x03, 0xEE], [0x03, 0xF7], [0x00, 0x00], [0x0B, 0xB7], [0x13, 0x88],
            [0x03, 0xE8, 0xFF],
        ] as [[UInt8]])
    func invalidCloseFrame(payload: [UInt8]) {
        var machine = Self.machine()
        #expect(throws: WebSocketProtocolError.self) {
            try machine.didReceiveControlFrame(.close, payload: payload, at: 0)
        }
    }

    @Test("A local Close frame waits for that of the server, which makes the closure clean")
    func closes() throws {
        var machine = Self.machine()
        #expect(machine.close(4001, reason: "enough", at: 5) == [.sendClose(4001, "enough")])
        #expect(!machine.isOpen && machine.isListening)
        #expect(
            try machine.didReceiveHeader(WebSocketFrame(.text, length: 1)) == .beginning(.text, isCompressed: false))
        #expect(machine.close(.normal, reason: "", at: 6) == [])
        #expect(try machine.didReceiveControlFrame(.ping, payload: [], at: 6) == [])
        let actions = try machine.didReceiveControlFrame(.close, payload: [0x0F, 0xA1], at: 7)
        #expect(actions == [.finish(WebSocketCloseInfo(code: 4001, isClean: true, initiator: .local))])
        #expect(machine.timerFired(at: 11 * Self.second, isReading: true) == [.disconnect])
    }

    @Test("A local Close frame without an answer disconnects after closeTimeout")
    func closeTimesOut() {
        var machine = Self.machine { $0.closeTimeout = .seconds(3) }
        _ = machine.close(.goingAway, reason: "", at: 0)
        #expect(machine.wakeTime == 3 * Self.second)
        #expect(machine.timerFired(at: 3 * Self.second - 1, isReading: true) == [])
        let actions = machine.timerFired(at: 3 * Self.second, isReading: true)
        #expect(Self.closure(actions)?.failure?.code == .closeTimedOut)
        #expect(Self.closure(actions)?.isClean == false)
        #expect(actions.last == .disconnect)
    }

    @Test("A code that must not be sent becomes 1000, and a reason is cut between characters")
    func closeArguments() {
        var machine = Self.machine()
        let actions = machine.close(1006, reason: String(repeating: "€", count: 50), at: 0)
        #expect(actions == [.sendClose(1000, String(repeating: "€", count: 41))])
    }

    @Test("Silence sends a ping after pingInterval and disconnects pongTimeout later; any byte is activity")
    func liveness() {
        var machine = Self.machine {
            $0.pingInterval = .seconds(20)
            $0.pongTimeout = .seconds(5)
        }
        #expect(machine.wakeTime == 20 * Self.second)
        machine.didReceiveBytes(at: 3 * Self.second)
        #expect(machine.timerFired(at: 20 * Self.second, isReading: true) == [])
        #expect(machine.wakeTime == 23 * Self.second)
        #expect(machine.timerFired(at: 23 * Self.second, isReading: true) == [.sendPing])
        #expect(machine.wakeTime == 28 * Self.second)
        machine.didReceiveBytes(at: 27 * Self.second)
        #expect(machine.timerFired(at: 28 * Self.second, isReading: true) == [])
        #expect(machine.timerFired(at: 47 * Self.second, isReading: true) == [.sendPing])
        let actions = machine.timerFired(at: 52 * Self.second, isReading: true)
        #expect(Self.closure(actions)?.failure?.code == .pongTimedOut)
        #expect(actions.last == .disconnect)
        #expect(machine.wakeTime == nil)
    }

    @Test("While reading is paused, silence does not close the connection")
    func notReading() {
        var machine = Self.machine { $0.pingInterval = .seconds(20) }
        #expect(machine.timerFired(at: 20 * Self.second, isReading: false) == [.sendPing])
        #expect(machine.timerFired(at: 30 * Self.second, isReading: false) == [])
        #expect(machine.timerFired(at: 50 * Self.second, isReading: false) == [.sendPing])
        // After reading resumes, the interval counts from the last byte received.
        machine.didReceiveBytes(at: 55 * Self.second)
        #expect(machine.wakeTime == 75 * Self.second)
    }

    @Test("While reading is paused, a server that accepts none of the bytes sent is dead, and a slow one is not")
    func stall() {
        var machine = Self.machine { $0.pingInterval = .seconds(20) }
        #expect(
            machine.timerFired(at: 20 * Self.second, isReading: false, .init(written: 5, waiting: 9)) == [.sendPing])
        #expect(machine.timerFired(at: 30 * Self.second, isReading: false, .init(written: 6, waiting: 9)) == [])
        #expect(
            machine.timerFired(at: 50 * Self.second, isReading: false, .init(written: 6, waiting: 9)) == [.sendPing])
        let actions = machine.timerFired(at: 60 * Self.second, isReading: false, .init(written: 6, waiting: 20))
        #expect(Self.closure(actions)?.failure?.code == .pongTimedOut)
        #expect(actions.last == .disconnect)
    }

    private static func progress(
        _ received: UInt64, silence: Int64 = 0, acknowledged: UInt64 = 0, isAwaiting: Bool = false,
        hasRoom: Bool = true
    ) -> WebSocketProtocolStateMachine.Progress {
        .init(
            written: 0, waiting: 0,
            TCPInfo(
                received: received, silence: silence, acknowledged: acknowledged, isAwaiting: isAwaiting,
                hasRoom: hasRoom))
    }

    @Test("While reading is paused, a server is alive if its kernel sends bytes, and dead if it does not")
    func pulse() {
        var machine = Self.machine { $0.pingInterval = .seconds(20) }
        #expect(machine.timerFired(at: 20 * Self.second, isReading: false, Self.progress(100)) == [.sendPing])
        // The server answered one second after the ping.
        let alive = Self.progress(101, silence: 9 * Self.second)
        #expect(machine.timerFired(at: 30 * Self.second, isReading: false, alive) == [])
        #expect(machine.wakeTime == 41 * Self.second)
        #expect(machine.timerFired(at: 41 * Self.second, isReading: false, Self.progress(101)) == [.sendPing])
        #expect(machine.wakeTime == 51 * Self.second)
        let actions = machine.timerFired(at: 51 * Self.second, isReading: false, Self.progress(101))
        #expect(Self.closure(actions)?.failure?.code == .pongTimedOut)
        #expect(actions.last == .disconnect)
    }

    @Test("Bytes that arrived but are still unread at the deadline count as activity")
    func unread() {
        var machine = Self.machine { $0.pingInterval = .seconds(20) }
        #expect(machine.timerFired(at: 20 * Self.second, isReading: true, Self.progress(1)) == [.sendPing])
        #expect(machine.timerFired(at: 30 * Self.second, isReading: true, Self.progress(2)) == [])
        #expect(machine.wakeTime == 50 * Self.second)
    }

    @Test("With a full receive buffer, a server is alive as long as its kernel acknowledges what is sent")
    func noRoom() {
        var machine = Self.machine { $0.pingInterval = .seconds(20) }
        func look(_ time: Int64, _ acknowledged: UInt64, _ isAwaiting: Bool) -> [WebSocketProtocolStateMachine.Action] {
            machine.timerFired(
                at: time * Self.second, isReading: false,
                Self.progress(9, acknowledged: acknowledged, isAwaiting: isAwaiting, hasRoom: false))
        }
        #expect(look(20, 5, false) == [.sendPing])
        #expect(look(30, 19, false) == [])
        #expect(look(50, 19, false) == [.sendPing])
        #expect(look(60, 33, true) == [])
        #expect(look(80, 33, true) == [.sendPing])
        #expect(Self.closure(look(90, 33, true))?.failure?.code == .pongTimedOut)
    }

    @Test("A server that dies right after a pong is detected within pingInterval or pongTimeout, whichever is longer")
    func soon() {
        var machine = Self.machine {
            $0.pingInterval = .seconds(2)
            $0.pongTimeout = .seconds(10)
        }
        #expect(machine.timerFired(at: 2 * Self.second, isReading: false, Self.progress(1)) == [.sendPing])
        #expect(machine.wakeTime == 4 * Self.second)
        // The server answered at once and died; the next ping is due.
        let died = Self.progress(2, silence: 2 * Self.second)
        #expect(machine.timerFired(at: 4 * Self.second, isReading: false, died) == [.sendPing])
        var time = machine.wakeTime ?? 0
        while machine.timerFired(at: time, isReading: false, Self.progress(2)) == [] { time = machine.wakeTime ?? 0 }
        #expect(time == 14 * Self.second && machine.wakeTime == nil)
    }

    @Test("Abandoning disconnects an open connection, and lets a close that is under way finish")
    func abandons() throws {
        var open = Self.machine()
        #expect(open.abandon(at: 0).last == .disconnect)
        var failing = Self.machine()
        _ = failing.didDetectViolation(.invalidText, allMessagesTaken: false, at: 0)
        #expect(failing.abandon(at: 0).first == .sendClose(1007, "the text is not valid UTF-8"))
        #expect(failing.abandon(at: 0) == [])
        var leaving = Self.machine()
        _ = try leaving.didReceiveControlFrame(.close, payload: [], at: 0)
        #expect(leaving.abandon(at: 0) == [] && leaving.wakeTime != nil)
    }

    @Test("Without pingInterval no ping is sent")
    func noPings() {
        #expect(Self.machine { $0.pingInterval = nil }.wakeTime == nil)
    }

    @Test("A fault is reported after the messages before it were taken, or after closeTimeout")
    func faults() {
        var machine = Self.machine { $0.closeTimeout = .seconds(2) }
        #expect(machine.didDetectViolation(.invalidText, allMessagesTaken: false, at: 0) == [])
        #expect(machine.isOpen && !machine.isListening)
        var late = machine
        let actions = machine.messagesTaken(at: 1)
        #expect(actions.first == .sendClose(1007, "the text is not valid UTF-8"))
        #expect(Self.closure(actions)?.failure?.code == .invalidPayload)
        #expect(Self.closure(late.timerFired(at: 2 * Self.second, isReading: true)) == Self.closure(actions))
        #expect(late.timerFired(at: 4 * Self.second, isReading: true) == [.disconnect])
        var lost = Self.machine()
        _ = lost.didDetectViolation(.tooLarge(limit: 7), allMessagesTaken: false, at: 0)
        #expect(Self.closure(lost.connectionClosed("reset"))?.code == 1009)
    }

    @Test("A lost connection closes with 1006, once")
    func lost() {
        var machine = Self.machine()
        let closure = Self.closure(machine.connectionClosed("reset"))
        #expect(closure?.code == 1006 && closure?.isClean == false && closure?.initiator == .remote)
        #expect(closure?.failure?.code == .connectionLost)
        #expect(machine.connectionClosed("reset") == [] && machine.drop() == [])
    }

    @Test("Dropping disconnects at once")
    func drops() {
        var machine = Self.machine()
        let actions = machine.drop()
        #expect(Self.closure(actions)?.initiator == .local)
        #expect(actions.last == .disconnect)
        #expect(machine.drop() == [])
    }

    @Test(
        "Random events in random order: it finishes once, sends Close once, and sets no timer in the past",
        arguments: 1...20)
    func random(seed: UInt64) {
        var random = SeededNumbers(seed)
        for _ in 0..<300 {
            var machine = Self.machine {
                $0.pingInterval = Bool.random(using: &random) ? .seconds(5) : nil
                $0.closeTimeout = .seconds(Int.random(in: 0...4, using: &random))
            }
            var now: Int64 = 0
            var (closures, closeFrames, disconnects, isInMessage) = (0, 0, 0, false)
            for _ in 0..<60 {
                now += Int64.random(in: 0...(3 * Self.second), using: &random)
                let wasOpen = machine.isOpen
                var actions: [WebSocketProtocolStateMachine.Action] = []
                switch Int.random(in: 0..<12, using: &random) {
                case 0...4:
                    let opcode = WebSocketOpcode.allCases.randomElement(using: &random) ?? .text
                    let isFinal = opcode.isControl || Bool.random(using: &random)
                    let wasListening = machine.isListening
                    do throws(WebSocketProtocolError) {
                        let part = try machine.didReceiveHeader(WebSocketFrame(opcode, length: 2, isFinal: isFinal))
                        if !wasListening { #expect(part == .ignored) }
                        if case .control(let opcode) = part {
                            actions = try machine.didReceiveControlFrame(opcode, payload: [3, 0xE8], at: now)
                        } else if part != .ignored {
                            #expect(isInMessage == (part == .middle))
                            isInMessage = !isFinal
                        }
                    } catch {
                        actions = machine.didDetectViolation(
                            error, allMessagesTaken: Bool.random(using: &random), at: now)
                    }
                case 5: machine.didReceiveBytes(at: now)
                case 6: actions = machine.messagesTaken(at: now)
                case 7 where Int.random(in: 0..<4, using: &random) == 0:
                    actions = machine.close(.normal, reason: "", at: now)
                case 8 where Int.random(in: 0..<8, using: &random) == 0:
                    actions = Bool.random(using: &random) ? machine.drop() : machine.abandon(at: now)
                case 9 where Int.random(in: 0..<8, using: &random) == 0: actions = machine.connectionClosed("gone")
                default: actions = machine.timerFired(at: now, isReading: Bool.random(using: &random))
                }
                for action in actions {
                    switch action {
                    case .finish: closures += 1
                    case .sendClose:
                        closeFrames += 1
                        #expect(closures == 0 && wasOpen)
                    case .disconnect: disconnects += 1
                    case .sendPing, .sendPong: #expect(closeFrames == 0 && closures == 0)
                    case .answered: #expect(closures == 0)
                    }
                }
                if closures > 0 { #expect(!machine.isOpen && !machine.isListening) }
            }
            #expect(closures <= 1 && closeFrames <= 1 && disconnects <= 1)
            // Without further events it comes to rest: alive, or closed in time.
            for _ in 0..<6 {
                guard let time = machine.wakeTime else { break }
                _ = machine.timerFired(at: max(time, now), isReading: true)
            }
            #expect(machine.wakeTime == nil)
        }
    }
}
