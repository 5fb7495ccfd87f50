// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization
import TestSupport
import Testing

/// A connection that a test scripts: it keeps the completions until the test or the end of the connection calls them.
private final class ScriptedConnection: ByteConnection {
    private struct State {
        var update: (@Sendable (NetworkConnectionStateMachine.Event) -> Void)?
        var receives: [@Sendable (Data?, Bool, NetworkConnectionError?) -> Void] = []
        var sends: [@Sendable (NetworkConnectionError?) -> Void] = []
        var sent: [Data?] = []
        var isCancelled = false
    }

    static let ended = NetworkConnectionError(.posix, code: Int(ECANCELED), description: "cancelled")

    private let state = Mutex(State())
    /// The event that starting the connection causes.
    let first: NetworkConnectionStateMachine.Event

    init(_ first: NetworkConnectionStateMachine.Event = .ready) { self.first = first }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var sent: [Data?] { state.withLock { $0.sent } }
    var isReceiving: Bool { state.withLock { !$0.receives.isEmpty } }
    var isSending: Bool { state.withLock { !$0.sends.isEmpty } }

    func start(_ update: @escaping @Sendable (NetworkConnectionStateMachine.Event) -> Void) {
        state.withLock { $0.update = update }
        update(first)
    }

    func receive(
        upTo maximum: Int, completion: @escaping @Sendable (Data?, Bool, NetworkConnectionError?) -> Void
    ) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.receives.append(completion) }
            return state.isCancelled
        }
        if isCancelled { completion(nil, false, Self.ended) }
    }

    func send(_ bytes: Data?, completion: @escaping @Sendable (NetworkConnectionError?) -> Void) {
        let isCancelled = state.withLock { state in
            state.sent.append(bytes)
            if !state.isCancelled { state.sends.append(completion) }
            return state.isCancelled
        }
        if isCancelled { completion(Self.ended) }
    }

    func cancel() {
        let (receives, sends) = state.withLock { state in
            state.isCancelled = true
            defer { (state.receives, state.sends) = ([], []) }
            return (state.receives, state.sends)
        }
        for receive in receives { receive(nil, false, Self.ended) }
        for send in sends { send(Self.ended) }
    }

    /// Completes the oldest receive.
    func deliver(_ bytes: Data?, isComplete: Bool = false, error: NetworkConnectionError? = nil) async throws {
        try await eventually { self.isReceiving }
        state.withLock { $0.receives.removeFirst() }(bytes, isComplete, error)
    }

    /// Completes the oldest send.
    func accept(_ error: NetworkConnectionError? = nil) async throws {
        try await eventually { self.isSending }
        state.withLock { $0.sends.removeFirst() }(error)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct NetworkConnectionByteStreamTests {
    private static func open(_ connection: ScriptedConnection) async throws -> NetworkConnectionByteStream {
        let request = PipePeer.request
        let plan = try NetworkConnectionPlan(UpgradeTarget(request), options: request.options, verify: nil)
        return try await NetworkConnectionByteStream.open(plan, over: connection)
    }

    @Test("A connection that fails is cancelled, and its error is thrown")
    func failed() async throws {
        let refused = NetworkConnectionError(.posix, code: Int(ECONNREFUSED), description: "refused")
        let connection = ScriptedConnection(.failed(refused))
        let error = await #expect(throws: TransportError.self) { _ = try await Self.open(connection) }
        #expect(error?.code == .cannotConnectToHost)
        #expect(connection.isCancelled)
    }

    @Test("Reads return bytes, skip empty reports, and return nil after the end")
    func reads() async throws {
        let connection = ScriptedConnection()
        let stream = try await Self.open(connection)
        async let first = stream.read(upTo: 10)
        try await connection.deliver(nil)
        try await connection.deliver(Data([1, 2]))
        #expect(try await first == Data([1, 2]))
        async let second = stream.read(upTo: 10)
        try await connection.deliver(Data([3]), isComplete: true)
        #expect(try await second == Data([3]))
        #expect(try await stream.read(upTo: 10) == nil)
    }

    @Test("Writes wait until the bytes are accepted, and closing sends no bytes")
    func writes() async throws {
        let connection = ScriptedConnection()
        let stream = try await Self.open(connection)
        async let write: Void = stream.write(Data([1]))
        try await connection.accept()
        try await write
        let closing = Task { try await stream.closeWriting() }
        try await connection.accept(ScriptedConnection.ended)
        await #expect(throws: NetworkConnectionError.self) { try await closing.value }
        #expect(connection.sent == [Data([1]), nil])
    }

    @Test("A cancelled read or write ends the connection", arguments: [true, false])
    func cancelled(reads: Bool) async throws {
        let connection = ScriptedConnection()
        let stream = try await Self.open(connection)
        let task = Task {
            if reads { _ = try await stream.read(upTo: 1) } else { try await stream.write(Data([1])) }
        }
        try await eventually { reads ? connection.isReceiving : connection.isSending }
        task.cancel()
        await #expect(throws: NetworkConnectionError.self) { try await task.value }
        #expect(connection.isCancelled)
    }

    @Test("A stream without references ends its connection")
    func released() async throws {
        let connection = ScriptedConnection()
        _ = try await Self.open(connection)
        #expect(connection.isCancelled)
    }
}
