// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghNetwork
import SimorghRealtime
import SimorghSupport
import SimorghTesting
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

    var hasStarted: Bool { state.withLock { $0.update != nil } }
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

    /// Reports a state of the connection.
    func report(_ event: NetworkConnectionStateMachine.Event) { state.withLock { $0.update }?(event) }

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

/// A transport that sends no request.
private struct SilentTransport: Transport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        throw .cancelled(phase: .queue)
    }
}

@Suite(.timeLimit(.minutes(5)))
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

    @Test("A connection whose network is forbidden fails at once, and is cancelled", arguments: [true, false])
    func forbidden(isForbidden: Bool) async throws {
        let offline = NetworkConnectionError(.posix, code: Int(ENETDOWN), description: "no network")
        let connection = ScriptedConnection(.waiting(offline, hasNoPath: true))
        let network = ScriptedNetwork(.connected(isForbidden ? .cellular : .wifi))
        var request = PipePeer.request
        request.options.access.allowsCellular = false
        request.options.monitor = network.monitor()
        let plan = try NetworkConnectionPlan(UpgradeTarget(request), options: request.options, verify: nil)
        let opening = Task { try await NetworkConnectionByteStream.open(plan, over: connection) }
        if isForbidden {
            let error = await #expect(throws: TransportError.self) { _ = try await opening.value }
            #expect((error?.underlying as? NetworkAccessError)?.rule == .cellular)
            #expect(connection.isCancelled)
        } else {
            // The system uses an allowed network after a while.
            try await eventually { connection.hasStarted }
            connection.report(.ready)
            _ = try await opening.value
        }
    }

    @Test("A change of the network that the monitor learns of late is the error at the time limit")
    func forbiddenLate() async throws {
        let offline = NetworkConnectionError(.posix, code: Int(ENETDOWN), description: "no network")
        let connection = ScriptedConnection(.waiting(offline, hasNoPath: true))
        let network = ScriptedNetwork(.connected(.wifi))
        var request = PipePeer.request
        request.options.access.allowsCellular = false
        request.options.monitor = network.monitor()
        let plan = try NetworkConnectionPlan(UpgradeTarget(request), options: request.options, verify: nil)
        let clock = TestClock()
        let opening = Task {
            try await NetworkConnectionByteStream.open(plan, over: connection, time: clock.timeSource)
        }
        try await clock.sleeping(for: plan.limit)
        network.become(.connected(.cellular))
        clock.advance(by: plan.limit)
        let error = await #expect(throws: TransportError.self) { _ = try await opening.value }
        #expect(error?.code == .notConnectedToInternet)
    }

    @Test("The client's identity is read before the connection is created, and an unreadable one fails the opening")
    func identity() async throws {
        let seen = LockedValue<[UInt8]?>(nil)
        let refused = NetworkConnectionError(.posix, code: Int(ECONNREFUSED), description: "refused")
        func open(_ identity: TLSIdentity) async throws -> TransportError? {
            let transport = NetworkWebSocketTransport(requests: SilentTransport(), verify: nil) { plan, identity in
                seen.change { $0 = identity?.archive }
                return ScriptedConnection(.failed(refused))
            }
            var request = PipePeer.request
            request.head.scheme = "wss"
            request.options.tls.identity = identity
            let sent = request
            return await #expect(throws: TransportError.self) {
                _ = try await transport.open(sent, options: WebSocketChannelOptions())
            }
        }
        let error = try await open(TLSIdentity(pkcs12: .data(Data([7])), passphrase: "a"))
        #expect(error?.code == .cannotConnectToHost && seen.value == [7])
        let unreadable = try await open(TLSIdentity(pkcs12: .file("/nowhere/a.p12"), passphrase: "a"))
        #expect((unreadable?.underlying as? TLSOptionsError)?.reason == .file)
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
