// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The metrics of URL loading, a part of Foundation.
import Security

// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype
    public enum ResourceFetchType: Int, Sendable { case unknown, networkLoad, serverPush, localCache }
    // https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/transactionmetrics
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { [] }
}

// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/fetchstartdate
    open var fetchStartDate: Date? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/domainlookupstartdate
    open var domainLookupStartDate: Date? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/domainlookupenddate
    open var domainLookupEndDate: Date? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/connectstartdate
    open var connectStartDate: Date? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/secureconnectionstartdate
    open var secureConnectionStartDate: Date? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/secureconnectionenddate
    open var secureConnectionEndDate: Date? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/connectenddate
    open var connectEndDate: Date? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/requeststartdate
    open var requestStartDate: Date? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/requestenddate
    open var requestEndDate: Date? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/responsestartdate
    open var responseStartDate: Date? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/responseenddate
    open var responseEndDate: Date? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/networkprotocolname
    open var networkProtocolName: String? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/isproxyconnection
    open var isProxyConnection: Bool { false }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/isreusedconnection
    open var isReusedConnection: Bool { false }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/resourcefetchtype
    open var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { .unknown }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofrequestheaderbytessent
    open var countOfRequestHeaderBytesSent: Int64 { 0 }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofrequestbodybytessent
    open var countOfRequestBodyBytesSent: Int64 { 0 }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofresponseheaderbytesreceived
    open var countOfResponseHeaderBytesReceived: Int64 { 0 }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofresponsebodybytesreceived
    open var countOfResponseBodyBytesReceived: Int64 { 0 }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/localaddress
    open var localAddress: String? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/remoteaddress
    open var remoteAddress: String? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/localport
    open var localPort: Int? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/remoteport
    open var remotePort: Int? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/negotiatedtlsprotocolversion
    open var negotiatedTLSProtocolVersion: tls_protocol_version_t? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/negotiatedtlsciphersuite
    open var negotiatedTLSCipherSuite: tls_ciphersuite_t? { nil }
}
