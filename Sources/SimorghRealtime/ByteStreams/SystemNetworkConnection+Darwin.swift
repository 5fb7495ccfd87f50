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

    init(_ plan: NetworkConnectionPlan, identity: ClientIdentity?) throws(TransportError) {
        let tcp = NWProtocolTCP.Options()
        tcp.noDelay = true
        let parameters = NWParameters(tls: try Self.tlsOptions(plan.tls, identity: identity, queue: queue), tcp: tcp)
        parameters.prohibitedInterfaceTypes = plan.access.allowsCellular ? [] : [.cellular]
        parameters.prohibitExpensivePaths = !plan.access.allowsExpensive
        parameters.prohibitConstrainedPaths = !plan.access.allowsConstrained
        parameters.preferNoProxies = plan.proxy.isDirect
        if let servers = plan.proxy.servers {
            let context = NWParameters.PrivacyContext(description: "simorgh.proxy")
            context.proxyConfigurations = servers.map(ProxyConfiguration.init)
            parameters.setPrivacyContext(context)
        }
        connection = NWConnection(
            host: NWEndpoint.Host(plan.host), port: NWEndpoint.Port(integerLiteral: plan.port), using: parameters)
    }

    func start(_ update: @escaping @Sendable (NetworkConnectionStateMachine.Event) -> Void) {
        connection.stateUpdateHandler = { [connection] in update(.init($0, path: connection.currentPath)) }
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

    private static func tlsOptions(
        _ plan: NetworkConnectionPlan.TLS?, identity: ClientIdentity?, queue: DispatchQueue
    ) throws(TransportError) -> NWProtocolTLS.Options? {
        guard let plan else { return nil }
        let options = NWProtocolTLS.Options()
        let security = options.securityProtocolOptions
        sec_protocol_options_set_tls_server_name(security, plan.serverName)
        sec_protocol_options_set_min_tls_protocol_version(
            security, tls_protocol_version_t(rawValue: plan.versions.minimum) ?? .TLSv12)
        sec_protocol_options_set_max_tls_protocol_version(
            security, tls_protocol_version_t(rawValue: plan.versions.maximum) ?? .TLSv13)
        sec_protocol_options_add_tls_application_protocol(security, "http/1.1")
        sec_protocol_options_set_tls_resumption_enabled(security, plan.allowsResumption)
        if let offered = try identity?.systemIdentity().forNetwork {
            sec_protocol_options_set_local_identity(security, offered)
        }
        if let judgement = plan.judgement {
            sec_protocol_options_set_verify_block(
                security,
                { _, trust, complete in
                    let sent = SystemTrust.sentCertificates(sec_trust_copy_ref(trust).takeRetainedValue())
                    complete(judgement.trusts(sent))
                }, queue)
        }
        return options
    }
}

extension NetworkConnectionStateMachine.Event {
    fileprivate init(_ state: NWConnection.State, path: NWPath?) {
        self =
            switch state {
            case .setup, .preparing: .preparing
            case .waiting(let error): .waiting(NetworkConnectionError(error), hasNoPath: path?.status == .unsatisfied)
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
