// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Dispatch
import Network
import Security
import SimorghCore
import SimorghSupport

/// A connection of the Network framework.
struct SystemNetworkConnection: ByteConnection {
    private let connection: NWConnection
    private let queue = DispatchQueue(label: "simorgh.websocket", qos: .userInitiated)

    init(_ plan: NetworkConnectionPlan) {
        let queue = queue
        let parameters = NWParameters(
            tls: plan.tls.map { Self.tlsOptions($0, queue: queue) }, tcp: Self.tcpOptions())
        parameters.prohibitedInterfaceTypes = plan.access.allowsCellular ? [] : [.cellular]
        parameters.prohibitExpensivePaths = !plan.access.allowsExpensive
        parameters.prohibitConstrainedPaths = !plan.access.allowsConstrained
        connection = NWConnection(
            host: NWEndpoint.Host(plan.host), port: NWEndpoint.Port(integerLiteral: plan.port), using: parameters)
    }

    func start(_ update: @escaping @Sendable (NetworkConnectionStateMachine.Event) -> Void) {
        connection.stateUpdateHandler = { update(NetworkConnectionStateMachine.Event($0)) }
        connection.start(queue: queue)
    }

    func receive(upTo maximum: Int, completion: @escaping @Sendable (Data?, Bool, NetworkConnectionError?) -> Void) {
        connection.receive(minimumIncompleteLength: 1, maximumLength: maximum) { content, _, isComplete, error in
            completion(content, isComplete, error.map(NetworkConnectionError.init))
        }
    }

    func send(_ bytes: Data?, completion: @escaping @Sendable (NetworkConnectionError?) -> Void) {
        connection.send(
            content: bytes, contentContext: bytes == nil ? .finalMessage : .defaultMessage, isComplete: bytes == nil,
            completion: .contentProcessed { completion($0.map(NetworkConnectionError.init)) })
    }

    func cancel() {
        // The connection retains its handler, and with it the opening, which retains the connection.
        connection.stateUpdateHandler = nil
        connection.cancel()
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
        sec_protocol_options_set_min_tls_protocol_version(
            security, tls_protocol_version_t(rawValue: plan.versions.minimum) ?? .TLSv12)
        sec_protocol_options_set_max_tls_protocol_version(
            security, tls_protocol_version_t(rawValue: plan.versions.maximum) ?? .TLSv13)
        sec_protocol_options_add_tls_application_protocol(security, "http/1.1")
        plan.judgement.map { judgement in
            sec_protocol_options_set_verify_block(
                security,
                { _, trust, complete in
                    let sent = SystemTrust.sentCertificates(sec_trust_copy_ref(trust).takeRetainedValue())
                    complete(judgement.trusts(sent.map { Data($0) }))
                }, queue)
        }
        return options
    }
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
#endif
