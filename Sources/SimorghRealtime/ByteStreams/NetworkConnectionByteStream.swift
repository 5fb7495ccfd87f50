// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghSupport
import Synchronization

/// A connection of Apple's Network framework, or a scripted one in a test.
///
/// It translates only. Its functions are called on any thread.
package protocol ByteConnection: Sendable {
    /// Starts to connect.
    ///
    /// - Parameter update: Receives each state of the connection.
    func start(_ update: @escaping @Sendable (NetworkConnectionStateMachine.Event) -> Void)

    /// Receives bytes once.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of bytes.
    ///   - completion: Receives the bytes, if there are any, whether no more follow, and the error that ended the
    ///     connection; called once.
    func receive(
        upTo maximum: Int,
        completion: @escaping @Sendable (_ content: Data?, _ isComplete: Bool, _ error: NetworkConnectionError?) -> Void
    )

    /// Sends bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes; `nil` to close the sending direction.
    ///   - completion: Called once when the connection has accepted the bytes, or with the error that ended it.
    func send(_ bytes: Data?, completion: @escaping @Sendable (NetworkConnectionError?) -> Void)

    /// Ends the connection; waiting calls are completed with an error.
    func cancel()
}

/// A connection of Apple's Network framework, opened by host name: with VPN on demand, Private Relay, and the choice of
/// interfaces by the system.
package final class NetworkConnectionByteStream: ByteStream {
    package let info: ConnectionInfo
    private let connection: any ByteConnection
    private let reception = Mutex(StreamReceptionStateMachine())

    private init(_ connection: any ByteConnection, info: ConnectionInfo) {
        self.connection = connection
        self.info = info
    }

    deinit { connection.cancel() }

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - plan: The destination and the settings.
    ///   - connection: The connection, which is not started yet.
    ///   - time: The clock.
    /// - Returns: The connection.
    /// - Throws: `TransportError` if it cannot be opened within the time limit.
    package static func open(
        _ plan: NetworkConnectionPlan, over connection: any ByteConnection, time: TimeSource = .system
    ) async throws(TransportError) -> NetworkConnectionByteStream {
        let opening = NetworkConnectionOpening(objection: plan.objection, abort: { connection.cancel() })
        connection.start { opening.handle($0) }
        do {
            try await opening.wait(atMost: plan.limit, time: time)
        } catch {
            // The monitor may learn of a change of the network only after the connection.
            if case .timedOut(_, hasNoPath: true) = error, let rule = await plan.objection?() {
                throw plan.error(.forbidden(rule))
            }
            throw plan.error(error)
        }
        return NetworkConnectionByteStream(connection, info: plan.info)
    }

    package func read(upTo maximum: Int) async throws -> Data? {
        while true {
            if let ended = reception.withLock({ $0.ended }) { return try ended.get() }
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { (reader: CheckedContinuation<Result<Data?, any Error>?, Never>) in
                    connection.receive(upTo: maximum) { content, isComplete, error in
                        reader.resume(
                            returning: self.reception.withLock {
                                $0.received(content, isComplete: isComplete, error: error)
                            })
                    }
                }
            } onCancel: {
                abort()
            }
            if let result { return try result.get() }
        }
    }

    package func write(_ bytes: Data) async throws { try await send(bytes) }

    package func closeWriting() async throws { try await send(nil) }

    private func send(_ bytes: Data?) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (writer: CheckedContinuation<Void, any Error>) in
                connection.send(bytes) { error in
                    writer.resume(with: error.map { .failure($0) } ?? .success(()))
                }
            }
        } onCancel: {
            abort()
        }
    }

    package func abort() { connection.cancel() }
}
