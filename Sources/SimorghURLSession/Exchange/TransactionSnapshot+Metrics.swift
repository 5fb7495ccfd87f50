// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Security)
import Security
#endif

// FoundationNetworking has the same declarations, except that its ports are strings.
extension TransactionSnapshot {
    /// Creates the snapshot of a transaction.
    init(_ metrics: URLSessionTaskTransactionMetrics) {
        self.init()
        source = Source(metrics.resourceFetchType)
        fetchStart = metrics.fetchStartDate?.timeIntervalSince1970
        domainLookupStart = metrics.domainLookupStartDate?.timeIntervalSince1970
        domainLookupEnd = metrics.domainLookupEndDate?.timeIntervalSince1970
        connectStart = metrics.connectStartDate?.timeIntervalSince1970
        connectEnd = metrics.connectEndDate?.timeIntervalSince1970
        secureConnectionStart = metrics.secureConnectionStartDate?.timeIntervalSince1970
        secureConnectionEnd = metrics.secureConnectionEndDate?.timeIntervalSince1970
        requestStart = metrics.requestStartDate?.timeIntervalSince1970
        requestEnd = metrics.requestEndDate?.timeIntervalSince1970
        responseStart = metrics.responseStartDate?.timeIntervalSince1970
        responseEnd = metrics.responseEndDate?.timeIntervalSince1970
        isReusedConnection = metrics.isReusedConnection
        isProxyConnection = metrics.isProxyConnection
        sentBytes = metrics.countOfRequestHeaderBytesSent + metrics.countOfRequestBodyBytesSent
        receivedBytes = metrics.countOfResponseHeaderBytesReceived + metrics.countOfResponseBodyBytesReceived
        networkProtocol = metrics.networkProtocolName
        (localAddress, localPort) = (metrics.localAddress, metrics.localPort.flatMap { Int("\($0)") })
        (remoteAddress, remotePort) = (metrics.remoteAddress, metrics.remotePort.flatMap { Int("\($0)") })
        tlsVersion = metrics.negotiatedTLSProtocolVersion?.rawValue
        cipherSuite = metrics.negotiatedTLSCipherSuite?.rawValue
    }
}

extension TransactionSnapshot.Source {
    init(_ type: URLSessionTaskMetrics.ResourceFetchType) {
        switch type {
        case .networkLoad: self = .network
        case .serverPush: self = .serverPush
        case .localCache: self = .cache
        case .unknown: self = .unknown
        @unknown default: self = .unknown
        }
    }
}
