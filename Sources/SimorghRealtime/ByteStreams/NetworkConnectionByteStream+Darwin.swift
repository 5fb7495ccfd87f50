// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import CoreFoundation
import Dispatch
import Network
import Security
import SimorghCore
import SimorghSupport
import Synchronization

/// A connection of Apple's Network framework, opened by host name: with VPN on demand, Private Relay, and the choice of
/// interfaces by the system.
///
/// It translates; ``NetworkConnectionStateMachine`` and ``StreamReceptionStateMachine`` decide.
final class NetworkConnectionByteStream: ByteStream {
    let info: ConnectionInfo
    private let connection: NWConnection
    private let reception = Mutex(StreamReceptionStateMachine())

    private init(_ connection: NWConnection, info: ConnectionInfo) {
        self.connection = connection
        self.info = info
    }

    deinit { connection.cancel() }

    /// Opens a connection.
    ///
    /// - Parameter plan: The destination and the settings.
    /// - Returns: The connection.
    /// - Throws: `TransportError` if it cannot be opened within the time limit.
    static func open(_ plan: NetworkConnectionPlan) async throws(TransportError) -> NetworkConnectionByteStream {
        let queue = DispatchQueue(label: "simorgh.websocket", qos: .userInitiated)
        let parameters = NWParameters(tls: plan.tls.map { tlsOptions($0, queue: queue) }, tcp: tcpOptions())
        parameters.prohibitedInterfaceTypes = plan.access.allowsCellular ? [] : [.cellular]
        parameters.prohibitExpensivePaths = !plan.access.allowsExpensive
        parameters.prohibitConstrainedPaths = !plan.access.allowsConstrained
        let connection = NWConnection(
            host: NWEndpoint.Host(plan.host), port: NWEndpoint.Port(integerLiteral: plan.port), using: parameters)
        // Weak, because the connection retains its handler, and with it the opening.
        let opening = NetworkConnectionOpening(abort: { [weak connection] in connection?.cancel() })
        connection.stateUpdateHandler = { opening.handle(NetworkConnectionStateMachine.Event($0)) }
        connection.start(queue: queue)
        do {
            try await opening.wait(atMost: plan.limit)
        } catch {
            throw plan.error(error)
        }
        return NetworkConnectionByteStream(connection, info: plan.info)
    }

    private static func tcpOptions() -> NWProtocolTCP.Options {
        let options = NWProtocolTCP.Options()
        options.noDelay = true
        return options
    }

    private static func tlsOptions(
        _ plan: NetworkConnectionPlan.TLS, queue: DispatchQueue
    ) -> NWProtocolTLS.Options {
        let options = NWProtocolTLS.Options()
        let security = options.securityProtocolOptions
        sec_protocol_options_set_tls_server_name(security, plan.serverName)
        sec_protocol_options_set_min_tls_protocol_version(security, plan.minimumVersion.protocolVersion)
        sec_protocol_options_set_max_tls_protocol_version(security, plan.maximumVersion.protocolVersion)
        sec_protocol_options_add_tls_application_protocol(security, "http/1.1")
        plan.judgement.map { judgement in
            sec_protocol_options_set_verify_block(
                security,
                { _, trust, complete in
                    let chain = SecTrustCopyCertificateChain(sec_trust_copy_ref(trust).takeRetainedValue())
                    let certificates = (chain as? [SecCertificate] ?? []).map { certificate in
                        let data = SecCertificateCopyData(certificate)
                        return Data(UnsafeRawBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data)))
                    }
                    complete(judgement.trusts(certificates))
                }, queue)
        }
        return options
    }

    func read(upTo maximum: Int) async throws -> Data? {
        while true {
            if let ended = reception.withLock({ $0.ended }) { return try ended.get() }
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { (reader: CheckedContinuation<Result<Data?, any Error>?, Never>) in
                    connection.receive(minimumIncompleteLength: 1, maximumLength: maximum) {
                        content, _, isComplete, error in
                        reader.resume(
                            returning: self.reception.withLock {
                                $0.received(
                                    content, isComplete: isComplete, error: error.map(NetworkConnectionError.init))
                            })
                    }
                }
            } onCancel: {
                abort()
            }
            if let result { return try result.get() }
        }
    }

    func write(_ bytes: Data) async throws { try await send(bytes, isComplete: false) }

    func closeWriting() async throws { try await send(nil, isComplete: true) }

    private func send(_ bytes: Data?, isComplete: Bool) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (writer: CheckedContinuation<Void, any Error>) in
                connection.send(
                    content: bytes, contentContext: isComplete ? .finalMessage : .defaultMessage,
                    isComplete: isComplete,
                    completion: .contentProcessed { error in
                        writer.resume(
                            with: error.map { .failure(NetworkConnectionError($0)) } ?? .success(()))
                    })
            }
        } onCancel: {
            abort()
        }
    }

    func abort() { connection.cancel() }
}

extension NetworkConnectionStateMachine.Event {
    fileprivate init(_ state: NWConnection.State) {
        self =
            switch state {
            case .setup, .preparing: .preparing
            case .waiting(let error): .waiting(NetworkConnectionError(error))
            case .ready: .ready
            case .failed(let error): .failed(NetworkConnectionError(error))
            case .cancelled: .cancelled
            @unknown default: .preparing
            }
    }
}

extension NetworkConnectionError {
    fileprivate init(_ error: NWError) {
        self =
            switch error {
            case .posix(let code): NetworkConnectionError(.posix, code: Int(code.rawValue), description: "\(error)")
            case .dns(let code): NetworkConnectionError(.dns, code: Int(code), description: "\(error)")
            case .tls(let status): NetworkConnectionError(.tls, code: Int(status), description: "\(error)")
            @unknown default: NetworkConnectionError(.other, code: 0, description: "\(error)")
            }
    }
}

extension TLSOptions.Version {
    fileprivate var protocolVersion: tls_protocol_version_t {
        switch self {
        case .tls12: .TLSv12
        case .tls13: .TLSv13
        }
    }
}
#endif
