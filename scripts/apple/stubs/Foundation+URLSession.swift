// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The part of Foundation for URL loading.
import CoreFoundation
import Dispatch
import Security

// Like all classes of Foundation here, without @objc: a comment in Foundation+URLSessionDelegates.swift explains calls of optional
// members.
// https://developer.apple.com/documentation/foundation/nsurlrequest
open class NSURLRequest: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/nsurlrequest/cachepolicy-swift.enum
    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy, reloadIgnoringLocalCacheData, returnCacheDataElseLoad, returnCacheDataDontLoad
        case reloadIgnoringLocalAndRemoteCacheData, reloadRevalidatingCacheData
    }
}

// https://developer.apple.com/documentation/foundation/urlrequest
public struct URLRequest: Sendable, Hashable {
    // https://developer.apple.com/documentation/foundation/urlrequest/cachepolicy-swift.typealias
    public typealias CachePolicy = NSURLRequest.CachePolicy
    // https://developer.apple.com/documentation/foundation/urlrequest/init(url:cachepolicy:timeoutinterval:)
    public init(url: URL) {}
    // https://developer.apple.com/documentation/foundation/urlrequest/url
    public var url: URL? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/httpmethod
    public var httpMethod: String? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/httpbody
    public var httpBody: Data? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/allhttpheaderfields
    public var allHTTPHeaderFields: [String: String]? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/value(forhttpheaderfield:)
    public func value(forHTTPHeaderField field: String) -> String? { nil }
    // https://developer.apple.com/documentation/foundation/urlrequest/addvalue(_:forhttpheaderfield:)
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
    // https://developer.apple.com/documentation/foundation/urlrequest/setvalue(_:forhttpheaderfield:)
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
    // https://developer.apple.com/documentation/foundation/urlrequest/cachepolicy-swift.property
    public var cachePolicy: CachePolicy { get { .useProtocolCachePolicy } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/timeoutinterval
    public var timeoutInterval: Double { get { 0 } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/allowscellularaccess
    public var allowsCellularAccess: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/allowsexpensivenetworkaccess
    public var allowsExpensiveNetworkAccess: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/allowsconstrainednetworkaccess
    public var allowsConstrainedNetworkAccess: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/httpshouldhandlecookies
    public var httpShouldHandleCookies: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlrequest/assumeshttp3capable
    @available(macOS 11.3, iOS 14.5, tvOS 14.5, watchOS 7.4, *)
    public var assumesHTTP3Capable: Bool { get { false } set {} }
}

// https://developer.apple.com/documentation/foundation/urlresponse
open class URLResponse: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlresponse/url
    open var url: URL? { nil }
}

// https://developer.apple.com/documentation/foundation/httpurlresponse
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/httpurlresponse/statuscode
    open var statusCode: Int { 0 }
    // https://developer.apple.com/documentation/foundation/httpurlresponse/allheaderfields
    open var allHeaderFields: [AnyHashable: Any] { [:] }
}

// https://developer.apple.com/documentation/foundation/urlerror
public struct URLError: Error, Sendable {
    // https://developer.apple.com/documentation/foundation/urlerror/code
    public struct Code: Sendable, Hashable {
        // https://developer.apple.com/documentation/foundation/urlerror/code/rawvalue
        public var rawValue: Int { 0 }
        // https://developer.apple.com/documentation/foundation/urlerror/code/unknown
        public static let unknown = Code()
        // https://developer.apple.com/documentation/foundation/urlerror/code/cancelled
        public static let cancelled = Code()
        // https://developer.apple.com/documentation/foundation/urlerror/code/cannotparseresponse
        public static let cannotParseResponse = Code()
        // https://developer.apple.com/documentation/foundation/urlerror/code/timedout
        public static let timedOut = Code()
        // https://developer.apple.com/documentation/foundation/urlerror/code/cannotfindhost
        public static let cannotFindHost = Code()
        // https://developer.apple.com/documentation/foundation/urlerror/code/cannotconnecttohost
        public static let cannotConnectToHost = Code()
        // https://developer.apple.com/documentation/foundation/urlerror/code/notconnectedtointernet
        public static let notConnectedToInternet = Code()
        // https://developer.apple.com/documentation/foundation/urlerror/code/secureconnectionfailed
        public static let secureConnectionFailed = Code()
        // https://developer.apple.com/documentation/foundation/urlerror/code/servercertificateuntrusted
        public static let serverCertificateUntrusted = Code()
    }

    // https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason-swift.enum
    public enum NetworkUnavailableReason: Int, Sendable { case cellular, expensive, constrained }
    // https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason-swift.property
    public var networkUnavailableReason: NetworkUnavailableReason? { nil }
    // https://developer.apple.com/documentation/foundation/urlerror/init(_:)
    public init(_ code: Code) {}
    // https://developer.apple.com/documentation/foundation/urlerror/code
    public var code: Code { Code() }
    // https://developer.apple.com/documentation/foundation/customnserror/errorcode
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
    // https://developer.apple.com/documentation/swift/error/localizeddescription
    public var localizedDescription: String { "" }
}

// https://developer.apple.com/documentation/foundation/nsunderlyingerrorkey
public let NSUnderlyingErrorKey = ""

// https://developer.apple.com/documentation/swift/~=(_:_:)
public func ~= (pattern: URLError.Code, value: URLError.Code) -> Bool { pattern == value }

// https://developer.apple.com/documentation/foundation/posixerror
public struct POSIXError: Error, Sendable {
    // https://developer.apple.com/documentation/foundation/posixerror/code
    public enum Code: Int32, Sendable { case ENOTCONN, EMSGSIZE, EPROTO }
    // https://developer.apple.com/documentation/foundation/posixerror/code
    public var code: Code { .ENOTCONN }
}

// https://developer.apple.com/documentation/swift/error/localizeddescription
extension Error { public var localizedDescription: String { "" } }

// https://developer.apple.com/documentation/foundation/urlcache
open class URLCache: NSObject {}
// https://developer.apple.com/documentation/foundation/httpcookiestorage
open class HTTPCookieStorage: NSObject {}
// https://developer.apple.com/documentation/foundation/urlcredentialstorage
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

// https://developer.apple.com/documentation/foundation/urlsessionconfiguration
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/default
    open class var `default`: URLSessionConfiguration { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/background(withidentifier:)
    open class func background(withIdentifier identifier: String) -> URLSessionConfiguration { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/identifier
    open var identifier: String? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/sessionsendslaunchevents
    open var sessionSendsLaunchEvents: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/isdiscretionary
    open var isDiscretionary: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/sharedcontaineridentifier
    open var sharedContainerIdentifier: String? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpmaximumconnectionsperhost
    open var httpMaximumConnectionsPerHost: Int { get { 0 } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/urlcache
    open var urlCache: URLCache? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpcookiestorage
    open var httpCookieStorage: HTTPCookieStorage? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpshouldsetcookies
    open var httpShouldSetCookies: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/urlcredentialstorage
    open var urlCredentialStorage: URLCredentialStorage? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/timeoutintervalforrequest
    open var timeoutIntervalForRequest: TimeInterval { get { 0 } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/timeoutintervalforresource
    open var timeoutIntervalForResource: TimeInterval { get { 0 } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpadditionalheaders
    open var httpAdditionalHeaders: [AnyHashable: Any]? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/usesclassicloadingmode
    @available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    open var usesClassicLoadingMode: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/requestcachepolicy
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

// https://developer.apple.com/documentation/foundation/urlsessiontask
open class URLSessionTask: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsessiontask/state-swift.enum
    public enum State: Int, Sendable { case running, suspended, canceling, completed }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/taskidentifier
    open var taskIdentifier: Int { 0 }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/taskdescription
    open var taskDescription: String? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/state-swift.property
    open var state: State { .running }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/response
    open var response: URLResponse? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/originalrequest
    open var originalRequest: URLRequest? { nil }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/priority
    open var priority: Float { get { 0 } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/earliestbegindate
    open var earliestBeginDate: Date? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/countofbytessent
    open var countOfBytesSent: Int64 { 0 }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/countofbytesexpectedtosend
    open var countOfBytesExpectedToSend: Int64 { 0 }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/countofbytesreceived
    open var countOfBytesReceived: Int64 { 0 }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/countofbytesexpectedtoreceive
    open var countOfBytesExpectedToReceive: Int64 { 0 }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/countofbytesclientexpectstoreceive
    open var countOfBytesClientExpectsToReceive: Int64 { get { 0 } set {} }
    // https://developer.apple.com/documentation/foundation/urlsessiontask/resume()
    open func resume() {}
    // https://developer.apple.com/documentation/foundation/urlsessiontask/suspend()
    open func suspend() {}
    // https://developer.apple.com/documentation/foundation/urlsessiontask/cancel()
    open func cancel() {}
}

// https://developer.apple.com/documentation/foundation/urlsessiondatatask
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
// https://developer.apple.com/documentation/foundation/urlsessionuploadtask
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsessionuploadtask/cancel(byproducingresumedata:)
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {}
}

// https://developer.apple.com/documentation/foundation/nsurlsessiontransfersizeunknown
public let NSURLSessionTransferSizeUnknown: Int64 = -1

// https://developer.apple.com/documentation/foundation/urlsessiondownloadtask
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsessiondownloadtask/cancel(byproducingresumedata:)
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {}
}

// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/message
    public enum Message: Sendable {
        // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/message/data(_:)
        case data(Data)
        // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/message/string(_:)
        case string(String)
    }
    // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum
    public enum CloseCode: Int, Sendable {
        // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum/invalid
        case invalid = 0
        // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum/normalclosure
        case normalClosure = 1000
        // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum/goingaway
        case goingAway = 1001
        // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum/nostatusreceived
        case noStatusReceived = 1005
        // https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum/abnormalclosure
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

// https://developer.apple.com/documentation/foundation/urlsession
open class URLSession: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsession/responsedisposition
    public enum ResponseDisposition: Int, Sendable { case cancel, allow, becomeDownload, becomeStream }
    // https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }

    // https://developer.apple.com/documentation/foundation/urlsession/init(configuration:delegate:delegatequeue:)
    public init(configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?) {}
    // https://developer.apple.com/documentation/foundation/urlsession/getalltasks(completionhandler:)
    open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {}
    // https://developer.apple.com/documentation/foundation/urlsession/flush(completionhandler:)
    open func flush(completionHandler: @escaping @Sendable () -> Void) {}
    // https://developer.apple.com/documentation/foundation/urlsession/datatask(with:)-7jpys
    open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/uploadtask(with:from:)
    open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/uploadtask(with:fromfile:)
    open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/uploadtask(withresumedata:)
    open func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/uploadtask(withstreamedrequest:)
    open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/configuration
    open var configuration: URLSessionConfiguration { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/downloadtask(with:)-3fb7s
    open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/downloadtask(withresumedata:)
    open func downloadTask(withResumeData data: Data) -> URLSessionDownloadTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/websockettask(with:)-mtks
    open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/urlsession/finishtasksandinvalidate()
    open func finishTasksAndInvalidate() {}
    // https://developer.apple.com/documentation/foundation/urlsession/invalidateandcancel()
    open func invalidateAndCancel() {}
}
