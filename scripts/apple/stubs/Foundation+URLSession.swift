// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The part of Foundation for URL loading.
import CoreFoundation
import Dispatch
import Security

// Like all classes of Foundation here, without @objc: the comment at the delegates below explains calls of optional members.
open class NSURLRequest: NSObject, @unchecked Sendable {
    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy, reloadIgnoringLocalCacheData, returnCacheDataElseLoad, returnCacheDataDontLoad
        case reloadIgnoringLocalAndRemoteCacheData, reloadRevalidatingCacheData
    }
}

public struct URLRequest: Sendable, Hashable {
    public typealias CachePolicy = NSURLRequest.CachePolicy
    public init(url: URL) {}
    public var url: URL? { get { nil } set {} }
    public var httpMethod: String? { get { nil } set {} }
    public var httpBody: Data? { get { nil } set {} }
    public var allHTTPHeaderFields: [String: String]? { get { nil } set {} }
    public func value(forHTTPHeaderField field: String) -> String? { nil }
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
    public var cachePolicy: CachePolicy { get { .useProtocolCachePolicy } set {} }
    public var timeoutInterval: Double { get { 0 } set {} }
    public var allowsCellularAccess: Bool { get { true } set {} }
    public var allowsExpensiveNetworkAccess: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/allowsconstrainednetworkaccess
    public var allowsConstrainedNetworkAccess: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/httpshouldhandlecookies
    public var httpShouldHandleCookies: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/assumeshttp3capable
    @available(macOS 11.3, iOS 14.5, tvOS 14.5, watchOS 7.4, *)
    public var assumesHTTP3Capable: Bool { get { false } set {} }
}

open class URLResponse: NSObject, @unchecked Sendable {
    open var url: URL? { nil }
}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    open var statusCode: Int { 0 }
    open var allHeaderFields: [AnyHashable: Any] { [:] }
}

public struct URLError: Error, Sendable {
    public struct Code: Sendable, Hashable {
        // https://developer.apple.com/documentation/foundation/urlerror/code/rawvalue
        public var rawValue: Int { 0 }
        // https://developer.apple.com/documentation/foundation/urlerror/code/unknown
        public static let unknown = Code()
        public static let cancelled = Code()
        public static let cannotParseResponse = Code()
        public static let timedOut = Code()
        public static let cannotFindHost = Code()
        public static let cannotConnectToHost = Code()
        public static let notConnectedToInternet = Code()
        public static let secureConnectionFailed = Code()
        public static let serverCertificateUntrusted = Code()
    }

    // https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason-swift.enum
    public enum NetworkUnavailableReason: Int, Sendable { case cellular, expensive, constrained }
    // https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason-swift.property
    public var networkUnavailableReason: NetworkUnavailableReason? { nil }
    public init(_ code: Code) {}
    public var code: Code { Code() }
    public var errorCode: Int { 0 }
    // https://developer.apple.com/documentation/foundation/customnserror/erroruserinfo-1nm6s
    public var errorUserInfo: [String: Any] { [:] }
    // https://developer.apple.com/documentation/foundation/urlerror/downloadtaskresumedata
    public var downloadTaskResumeData: Data? { nil }
    // https://developer.apple.com/documentation/foundation/urlerror/failingurl
    public var failingURL: URL? { nil }
    // https://developer.apple.com/documentation/foundation/urlerror/uploadtaskresumedata
    public var uploadTaskResumeData: Data? { nil }
    // https://developer.apple.com/documentation/foundation/urlerror/backgroundtaskcancelledreason-swift.enum
    public enum BackgroundTaskCancelledReason: Int, Sendable {
        case userForceQuitApplication, backgroundUpdatesDisabled, insufficientSystemResources
    }
    // https://developer.apple.com/documentation/foundation/urlerror/backgroundtaskcancelledreason-swift.property
    public var backgroundTaskCancelledReason: BackgroundTaskCancelledReason? { nil }
    public var localizedDescription: String { "" }
}

// https://developer.apple.com/documentation/foundation/nsunderlyingerrorkey
public let NSUnderlyingErrorKey = ""

public func ~= (pattern: URLError.Code, value: URLError.Code) -> Bool { pattern == value }

// https://developer.apple.com/documentation/foundation/posixerror
public struct POSIXError: Error, Sendable {
    // https://developer.apple.com/documentation/foundation/posixerror/code
    public enum Code: Int32, Sendable { case ENOTCONN, EMSGSIZE, EPROTO }
    public var code: Code { .ENOTCONN }
}

// https://developer.apple.com/documentation/swift/error/localizeddescription
extension Error { public var localizedDescription: String { "" } }

open class URLCache: NSObject {}
open class HTTPCookieStorage: NSObject {}
open class URLCredentialStorage: NSObject {}
// https://developer.apple.com/documentation/foundation/urlcredential
open class URLCredential: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlcredential/persistence-swift.enum
    public enum Persistence: UInt, Sendable { case none, forSession, permanent, synchronizable }
    // https://developer.apple.com/documentation/foundation/urlcredential/init(trust:)
    public init(trust: SecTrust) {}
    // https://developer.apple.com/documentation/foundation/urlcredential/init(identity:certificates:persistence:)
    public init(identity: SecIdentity, certificates certArray: [Any]?, persistence: URLCredential.Persistence) {}
}
// https://developer.apple.com/documentation/foundation/urlprotectionspace
open class URLProtectionSpace: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlprotectionspace/authenticationmethod
    open var authenticationMethod: String { "" }
    // https://developer.apple.com/documentation/foundation/urlprotectionspace/host
    open var host: String { "" }
    // https://developer.apple.com/documentation/foundation/urlprotectionspace/port
    open var port: Int { 0 }
    // https://developer.apple.com/documentation/foundation/urlprotectionspace/isproxy()
    open func isProxy() -> Bool { false }
    // https://developer.apple.com/documentation/foundation/urlprotectionspace/servertrust
    open var serverTrust: SecTrust? { nil }
}
// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlauthenticationchallenge/protectionspace
    open var protectionSpace: URLProtectionSpace { fatalError("a stub") }
}
// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype
    public enum ResourceFetchType: Int, Sendable { case unknown, networkLoad, serverPush, localCache }
    // https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/transactionmetrics
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { [] }
}

// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    open var fetchStartDate: Date? { nil }
    open var domainLookupStartDate: Date? { nil }
    open var domainLookupEndDate: Date? { nil }
    open var connectStartDate: Date? { nil }
    open var secureConnectionStartDate: Date? { nil }
    open var secureConnectionEndDate: Date? { nil }
    open var connectEndDate: Date? { nil }
    open var requestStartDate: Date? { nil }
    open var requestEndDate: Date? { nil }
    open var responseStartDate: Date? { nil }
    open var responseEndDate: Date? { nil }
    open var networkProtocolName: String? { nil }
    open var isProxyConnection: Bool { false }
    open var isReusedConnection: Bool { false }
    open var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { .unknown }
    open var countOfRequestHeaderBytesSent: Int64 { 0 }
    open var countOfRequestBodyBytesSent: Int64 { 0 }
    open var countOfResponseHeaderBytesReceived: Int64 { 0 }
    open var countOfResponseBodyBytesReceived: Int64 { 0 }
    open var localAddress: String? { nil }
    open var remoteAddress: String? { nil }
    open var localPort: Int? { nil }
    open var remotePort: Int? { nil }
    open var negotiatedTLSProtocolVersion: tls_protocol_version_t? { nil }
    open var negotiatedTLSCipherSuite: tls_ciphersuite_t? { nil }
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var `default`: URLSessionConfiguration { fatalError("a stub") }
    open class func background(withIdentifier identifier: String) -> URLSessionConfiguration { fatalError("a stub") }
    open var identifier: String? { nil }
    open var sessionSendsLaunchEvents: Bool { get { true } set {} }
    open var isDiscretionary: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/sharedcontaineridentifier
    open var sharedContainerIdentifier: String? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpmaximumconnectionsperhost
    open var httpMaximumConnectionsPerHost: Int { get { 0 } set {} }
    open var urlCache: URLCache? { get { nil } set {} }
    open var httpCookieStorage: HTTPCookieStorage? { get { nil } set {} }
    open var httpShouldSetCookies: Bool { get { true } set {} }
    open var urlCredentialStorage: URLCredentialStorage? { get { nil } set {} }
    open var timeoutIntervalForRequest: TimeInterval { get { 0 } set {} }
    open var timeoutIntervalForResource: TimeInterval { get { 0 } set {} }
    open var httpAdditionalHeaders: [AnyHashable: Any]? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/usesclassicloadingmode
    @available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    open var usesClassicLoadingMode: Bool { get { true } set {} }
    open var requestCachePolicy: NSURLRequest.CachePolicy { get { .useProtocolCachePolicy } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/tlsminimumsupportedprotocolversion
    open var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t { get { .TLSv12 } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/tlsmaximumsupportedprotocolversion
    open var tlsMaximumSupportedProtocolVersion: tls_protocol_version_t { get { .TLSv13 } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/connectionproxydictionary
    open var connectionProxyDictionary: [AnyHashable: Any]? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/waitsforconnectivity
    open var waitsForConnectivity: Bool { get { false } set {} }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
    public enum State: Int, Sendable { case running, suspended, canceling, completed }
    open var taskIdentifier: Int { 0 }
    open var taskDescription: String? { get { nil } set {} }
    open var state: State { .running }
    open var response: URLResponse? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/originalrequest
    open var originalRequest: URLRequest? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/priority
    open var priority: Float { get { 0 } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/earliestbegindate
    open var earliestBeginDate: Date? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/countofbytesclientexpectstoreceive
    open var countOfBytesClientExpectsToReceive: Int64 { get { 0 } set {} }
    open func resume() {}
    open func suspend() {}
    open func cancel() {}
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsessionuploadtask/cancel(byproducingresumedata:)
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {}
}

// https://developer.apple.com/documentation/foundation/nsurlsessiontransfersizeunknown
public let NSURLSessionTransferSizeUnknown: Int64 = -1

open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {}
}

// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/message
    public enum Message: Sendable {
        case data(Data)
        case string(String)
    }
    // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum
    public enum CloseCode: Int, Sendable {
        case invalid = 0
        case normalClosure = 1000
        case goingAway = 1001
        case noStatusReceived = 1005
        case abnormalClosure = 1006
    }
    // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/maximummessagesize
    open var maximumMessageSize: Int { get { 0 } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.property
    open var closeCode: CloseCode { .invalid }
    // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closereason
    open var closeReason: Data? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/send(_:completionhandler:)
    open func send(_ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/receive(completionhandler:)
    open func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) {}
    // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/sendping(pongreceivehandler:)
    open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/cancel(with:reason:)
    open func cancel(with closeCode: CloseCode, reason: Data?) {}
}

open class URLSession: NSObject, @unchecked Sendable {
    public enum ResponseDisposition: Int, Sendable { case cancel, allow, becomeDownload, becomeStream }
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }

    public init(configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?) {}
    open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {}
    open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError("a stub") }
    open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask { fatalError("a stub") }
    open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/uploadtask(withresumedata:)
    open func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/uploadtask(withstreamedrequest:)
    open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/configuration
    open var configuration: URLSessionConfiguration { fatalError("a stub") }
    open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask { fatalError("a stub") }
    open func downloadTask(withResumeData data: Data) -> URLSessionDownloadTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/websockettask(with:)
    open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask { fatalError("a stub") }
    open func finishTasksAndInvalidate() {}
    open func invalidateAndCancel() {}
}

// In Apple's SDK every member of these protocols is optional, which needs Objective-C. Here the two protocols that a class of this
// project conforms to require exactly the members that it implements, so that a wrong type or label is an error. A call
// `users?.urlSession?(…)` on a delegate of the user finds a property of that name.
public protocol URLSessionDelegate: NSObject, Sendable {}

public protocol URLSessionTaskDelegate: URLSessionDelegate {}

public struct OptionalSessionCalls {
    public func callAsFunction(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {}
}

public struct OptionalTaskCalls {
    public func callAsFunction(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {}
    public func callAsFunction(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {}
}

extension URLSessionDelegate {
    public var urlSession: OptionalSessionCalls? { nil }
}

extension URLSessionTaskDelegate {
    public var urlSession: OptionalTaskCalls? { nil }
}

public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64)
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
    // https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:neednewbodystream:)
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)
    // https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:taskiswaitingforconnectivity:)
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

// https://developer.apple.com/documentation/foundation/urlsessionwebsocketdelegate
public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?)
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
}

// A class that receives files and data implements fewer members of the data delegate, which are all optional.
// https://developer.apple.com/documentation/foundation/urlsessiondatadelegate
extension URLSessionDataDelegate where Self: URLSessionDownloadDelegate {
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {}
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {}
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void) {}
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {}
    public func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void) {}
    public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void) {}
}

public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)
}
