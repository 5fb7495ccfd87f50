// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

/// Signs requests by AWS Signature Version 4, for AWS and for servers that verify the same signatures.
///
/// ```swift
/// let signer = SigV4Signer(region: "eu-west-1", service: "execute-api", credentials: .environment)
/// let api = APIClient(baseURL: "https://abc.execute-api.eu-west-1.amazonaws.com/prod").with {
///     $0.authentication = .signed(by: signer)
/// }
/// ```
/// The signature covers the method, the path, the query, the body and the header fields, except for those that a proxy
/// may change. A request with a field `Authorization` keeps it and is not signed.
///
/// If a server rejects a signature because of its date, and the clock of this machine differs from the field `Date` of
/// the response by more than four minutes and at most 24 hours, the request is signed once more with the server's time.
/// Later requests to the same origin use that time at once, for an hour. This needs TLS, since another machine could
/// otherwise obtain a signature for a date of its choice. Credentials are always refreshed by this machine's clock.
public struct SigV4Signer: RequestSigner {
    /// The part of the signature that covers the body.
    public enum Payload: Sendable, Hashable, CaseIterable {
        /// The hash of a body in memory. For S3, a streamed body is unsigned over TLS, and otherwise signed in chunks; for
        /// other services it is read twice.
        case automatic
        /// The hash of the body; a streamed body is read twice.
        case hashed
        /// No signature of the body (`UNSIGNED-PAYLOAD`); only over TLS, or to this machine.
        case unsigned
        /// A signature of each chunk of 64 KiB (`STREAMING-AWS4-HMAC-SHA256-PAYLOAD`), only for S3; the body needs a known
        /// length.
        case chunked
    }

    /// The region, such as `eu-west-1`.
    public let region: String
    /// The name of the service in signatures, such as `s3`, `execute-api` or `appsync`.
    public let service: String
    /// The source of the credentials.
    public let credentials: AWSCredentialsSource
    /// The part of the signature that covers the body.
    ///
    /// Default: ``Payload/automatic``.
    public var payload = Payload.automatic
    /// True if a request that was rejected because of its date is signed once more with the server's time.
    ///
    /// Default: true.
    public var correctsClockSkew = true
    /// True for the rules of S3: its path keeps empty and dot segments, and the hash of the body is a header field.
    ///
    /// Default: true for the services `s3`, `s3-outposts`, `s3-object-lambda` and `s3express`.
    public var usesS3Rules: Bool

    private let skews = ClockSkews()

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - region: The region.
    ///   - service: The name of the service in signatures.
    ///   - credentials: The source of the credentials.
    public init(region: String, service: String, credentials: AWSCredentialsSource) {
        self.region = region
        self.service = service
        self.credentials = credentials
        usesS3Rules = ["s3", "s3-outposts", "s3-object-lambda", "s3express"].contains(service)
    }

    /// Creates a signer for Amazon S3, and for other storage with the same interface.
    ///
    /// - Parameters:
    ///   - region: The region.
    ///   - credentials: The source of the credentials.
    /// - Returns: The signer.
    public static func s3(region: String, credentials: AWSCredentialsSource) -> SigV4Signer {
        SigV4Signer(region: region, service: "s3", credentials: credentials)
    }

    /// Signs a request.
    ///
    /// - Parameters:
    ///   - request: The request of one attempt.
    ///   - date: The current date.
    /// - Returns: The request with the fields `Authorization` and `X-Amz-Date`, and those that they need.
    /// - Throws: ``SigningError`` or ``AWSCredentialsError``.
    public func signed(_ request: TransportRequest, at date: Date) async throws -> TransportRequest {
        guard !request.head.headerFields.contains(.authorization) else { return request }
        // The credentials expire by this machine's clock: other requests share them, and other servers.
        return try await sign(request, with: try await current(at: date, for: request), at: date)
    }

    /// Signs a request once more, with the time of the server, if the server rejected the date of the signature.
    ///
    /// - Parameters:
    ///   - request: The request, without a signature.
    ///   - rejection: The response of the server.
    ///   - date: The current date.
    /// - Returns: The request with another date; `nil` if the date was not the reason.
    /// - Throws: ``SigningError`` or ``AWSCredentialsError``.
    public func signedAgain(
        _ request: TransportRequest, after rejection: SignatureRejection, at date: Date
    ) async throws -> TransportRequest? {
        guard correctsClockSkew, !request.head.headerFields.contains(.authorization) else { return nil }
        let hasLearned = skews.learn(for: request.head, after: rejection, at: date)
        return hasLearned ? try await signed(request, at: date) : nil
    }

    /// Returns the header fields that sign a request which another client sends.
    ///
    /// They replace a given field `Authorization`. A rejected date is not corrected, since the signer does not see the
    /// response; a difference that it has learned for the same origin is used.
    ///
    /// - Parameters:
    ///   - url: The whole URL.
    ///   - method: The method.
    ///   - headers: The header fields of the request. They are signed, too, except for those that a proxy may change,
    ///     such as `User-Agent` and `Content-Length`.
    ///   - body: The body.
    ///   - date: The date of the signature, by the clock of this machine. Default: now.
    /// - Returns: All header fields to send, except for `Host`.
    /// - Throws: ``SigningError`` or ``AWSCredentialsError``.
    public func headerFields(
        for url: String, method: RequestMethod, headers: [String: String] = [:], body: Data = Data(),
        at date: Date = Date()
    ) async throws -> [String: String] {
        let request = try Self.request(method, url, headers: headers, body: .bytes(body, contentType: nil))
        let signed = try await sign(request, with: try await credentials(forDate: date), at: date)
        let fields = signed.head.headerFields.filter { $0.name != HostField.name }
        return Dictionary(fields.map { ($0.name.rawName, $0.value) }) { "\($0),\($1)" }
    }

    /// Returns the fields that authorize a connection or an operation of AWS AppSync by IAM.
    ///
    /// ```swift
    /// let signer = SigV4Signer(region: "eu-west-1", service: "appsync", credentials: .environment)
    /// let api = AppSyncProtocol(
    ///     "https://abc.appsync-api.eu-west-1.amazonaws.com/graphql",
    ///     authorization: .signed { try await signer.appSyncFields(host: $0.host, path: $0.path, body: $0.body) })
    /// ```
    /// - Parameters:
    ///   - host: The host of the API.
    ///   - path: The path of the signed request.
    ///   - body: The body of the signed request.
    /// - Returns: The fields, without `host`; all names but `Authorization` are in lowercase, as in the documentation
    ///   of AppSync.
    /// - Throws: ``SigningError`` or ``AWSCredentialsError``.
    public func appSyncFields(host: String, path: String, body: String) async throws -> [String: String] {
        let headers = [
            "accept": "application/json, text/javascript", "content-encoding": "amz-1.0",
            "content-type": "application/json; charset=UTF-8",
        ]
        let fields = try await headerFields(
            for: "https://\(host)\(path)", method: .post, headers: headers, body: Data(body.utf8))
        return Dictionary(fields.map { ($0 == "Authorization" ? $0 : $0.lowercased(), $1) }) { first, _ in first }
    }

    /// Signs a request with the time of its server.
    private func sign(
        _ request: TransportRequest, with values: AWSCredentials, at date: Date
    ) async throws -> TransportRequest {
        let date = SigV4Date(skews.date(for: request.head, at: date))
        let sigV4 = SigV4(values, region: region, service: service, date: date, usesS3Rules: usesS3Rules)
        var request = request
        let plan = try await payloadPlan(for: request)
        plan.apply(to: &request.head.headerFields)
        request.head.headerFields[SigV4Fields.date] = date.text
        // A token of the request itself belongs to credentials that came without one.
        if let token = values.sessionToken { request.head.headerFields[SigV4Fields.securityToken] = token }
        if usesS3Rules || plan.isText { request.head.headerFields[SigV4Fields.contentHash] = plan.hash }
        let message = try SigV4Fields.message(of: request.head, payloadHash: plan.hash)
        let signature = sigV4.signature(of: message)
        request.head.headerFields[.authorization] = sigV4.authorization(message, signature: signature)
        if plan.isChunked { request.body = SigV4Chunks.body(request.body, signer: sigV4, seed: signature) }
        return request
    }

    /// Returns current credentials, after checking all texts that become part of header fields.
    ///
    /// - Parameters:
    ///   - date: The date of this machine; never that of a server.
    ///   - request: The request that waits for them.
    /// - Returns: The credentials.
    /// - Throws: ``SigningError``, ``AWSCredentialsError`` or the error of the source.
    func current(at date: Date, for request: TransportRequest? = nil) async throws -> AWSCredentials {
        let values = try await credentials.current(at: date, for: request)
        for (name, text) in [("region", region), ("service", service), ("access key ID", values.accessKeyID)] {
            guard !text.isEmpty, text.utf8.count <= 256, text.utf8.allSatisfy(SigV4Fields.scopeBytes.contains) else {
                throw SigningError(
                    .invalidSetting,
                    "the \(name) of the signature is empty or has a character other than letters, digits and -._")
            }
        }
        if let token = values.sessionToken {
            do { try HeaderRules.check(value: token, of: "X-Amz-Security-Token") } catch {
                throw SigningError(.invalidSetting, "the session token has a character that no header field may have")
            }
        }
        return values
    }

    /// Returns current credentials for a signature of another date.
    ///
    /// - Parameter date: The date of the signature.
    /// - Returns: The credentials.
    /// - Throws: ``SigningError``, ``AWSCredentialsError`` or the error of the source.
    func credentials(forDate date: Date) async throws -> AWSCredentials {
        // Not the date of the signature, which says nothing about the credentials of other requests.
        let values = try await current(at: Date())
        guard values.isValid(at: date) else {
            throw AWSCredentialsError(.expired, "the credentials expire before the date of the signature")
        }
        return values
    }

    /// Creates the request for a URL.
    static func request(
        _ method: RequestMethod, _ url: String, headers: [String: String], body: RequestBody = .empty
    ) throws -> TransportRequest {
        let target: (base: BaseURL, target: String)
        do { target = try BaseURL.absolute(url) } catch { throw SigningError(.invalidURL, error.message) }
        guard let name = HTTPRequest.Method(method.rawValue) else {
            throw SigningError(.invalidSetting, "the method is not a token (RFC 9110)")
        }
        var head = HTTPRequest(
            method: name, scheme: target.base.scheme, authority: target.base.authority, path: target.target)
        do { head.headerFields = try HeaderRules.fields(headers) } catch {
            throw SigningError(.missingComponent, error.message)
        }
        return TransportRequest(head: head, body: body)
    }
}

extension SigV4Signer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The region and the service, without credentials.
    public var description: String { "AWS Signature Version 4 for \(service) in \(region)" }

    /// The region and the service, without credentials.
    public var debugDescription: String { description }

    /// A mirror with the region and the service, so that dumping a value does not reveal credentials.
    public var customMirror: Mirror { Mirror(self, children: ["region": region, "service": service]) }
}

/// The header fields of Signature Version 4.
enum SigV4Fields {
    static let date = HTTPField.Name.known("X-Amz-Date")
    static let securityToken = HTTPField.Name.known("X-Amz-Security-Token")
    static let contentHash = HTTPField.Name.known("X-Amz-Content-SHA256")
    static let decodedLength = HTTPField.Name.known("X-Amz-Decoded-Content-Length")
    /// The bytes of a region, a service and a key identifier: others would change the structure of the signature.
    static let scopeBytes = ByteSet.letters.union(.digits).union(ByteSet("-._"))

    /// Returns the parts of a request that a signature covers.
    static func message(
        of head: HTTPRequest, payloadHash: String, signsAllFields: Bool = false
    ) throws -> SigV4.Message {
        var fields = [(name: "host", value: try head.hostToSign)]
        for field in head.headerFields where field.name != HostField.name {
            fields.append((field.name.canonicalName, field.value))
        }
        var message = SigV4.Message(
            method: head.method.rawValue, target: head.path ?? "/", fields: fields, payloadHash: payloadHash)
        message.signsAllFields = signsAllFields
        return message
    }
}
