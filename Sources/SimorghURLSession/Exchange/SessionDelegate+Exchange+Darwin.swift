// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

#if canImport(Darwin)
extension SessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        measured(metrics.transactionMetrics.map { TransactionSnapshot($0) }, of: task.taskIdentifier)
        (userDelegate as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, didFinishCollecting: metrics)
    }
}

extension URLSessionConfiguration {
    /// Uses the current implementation of loading where the system has it.
    func useCurrentLoadingMode() {
        if #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) {
            usesClassicLoadingMode = false
        }
    }

    /// Makes tasks wait for the network instead of failing without one.
    func waitForConnectivity() { waitsForConnectivity = true }
}

extension URLRequest {
    /// Sets the options that a request carries to the session.
    mutating func apply(_ options: TransportOptions) {
        limitAccess(expensive: options.access.allowsExpensive, constrained: options.access.allowsConstrained)
        allowsCellularAccess = options.access.allowsCellular
        assumesHTTP3Capable = options.httpVersion == .http3
    }

    /// Sets the rules for networks that cost money or have Low Data Mode.
    mutating func limitAccess(expensive: Bool, constrained: Bool) {
        (allowsExpensiveNetworkAccess, allowsConstrainedNetworkAccess) = (expensive, constrained)
    }
}

extension URLError {
    /// The number of the reason for which there is no network.
    var unavailableReason: Int? { networkUnavailableReason?.rawValue }
}
#endif
