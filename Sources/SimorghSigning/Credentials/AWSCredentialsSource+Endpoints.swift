// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension AWSCredentialsSource {
    /// Returns the source of the credentials that Amazon ECS and EKS Pod Identity give to a container.
    ///
    /// The variable `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `AWS_CONTAINER_CREDENTIALS_FULL_URI` names the endpoint.
    /// Without `https` it must be an address of this machine, or one of the addresses that AWS uses
    /// (169.254.170.2, 169.254.170.23, fd00:ec2::23). Requests use no proxy and follow no redirects, and the response
    /// may have 64 KiB. A request takes five seconds at most.
    ///
    /// - Parameter client: The client whose transport reaches the endpoint; its other settings are not used.
    /// - Returns: The source.
    public static func container(over client: APIClient) -> AWSCredentialsSource {
        container(over: client) { ProcessInfo.processInfo.environment }
    }

    package static func container(
        over client: APIClient, variables: @escaping @Sendable () -> [String: String]
    ) -> AWSCredentialsSource {
        AWSCredentialsSource {
            let variables = variables().filter { !$0.value.isEmpty }
            let url = try AWSEndpoint.containerURL(variables)
            var headers = ["Accept": "application/json"]
            headers["Authorization"] = try await AWSEndpoint.containerToken(variables)
            let endpoint = AWSEndpoint(over: client, total: .seconds(5))
            return try AWSEndpoint.credentials(try await endpoint.send(.get, url, headers: headers))
        }
    }

    /// Returns the source of the credentials that Amazon EC2 gives to an instance.
    ///
    /// Only version 2 of the instance metadata service is used, whose token another machine and a simple forged request
    /// cannot obtain. The address is 169.254.169.254, or that of `AWS_EC2_METADATA_SERVICE_ENDPOINT`, which without
    /// `https` must be on this machine or its local link, or be fd00:ec2::254. Requests use no proxy and follow no
    /// redirects, and each of the three takes two seconds at most. With `AWS_EC2_METADATA_DISABLED=true` the source has
    /// no credentials.
    ///
    /// - Parameter client: The client whose transport reaches the endpoint; its other settings are not used.
    /// - Returns: The source.
    public static func instance(over client: APIClient) -> AWSCredentialsSource {
        instance(over: client) { ProcessInfo.processInfo.environment }
    }

    package static func instance(
        over client: APIClient, variables: @escaping @Sendable () -> [String: String]
    ) -> AWSCredentialsSource {
        AWSCredentialsSource {
            let variables = variables().filter { !$0.value.isEmpty }
            guard variables["AWS_EC2_METADATA_DISABLED"]?.lowercased() != "true" else {
                throw AWSCredentialsError(.notFound, "AWS_EC2_METADATA_DISABLED turns the instance endpoint off")
            }
            let base = try AWSEndpoint.instanceURL(variables)
            let endpoint = AWSEndpoint(over: client, total: .seconds(2))
            let seconds = ["X-aws-ec2-metadata-token-ttl-seconds": "21600"]
            // Other machines have no such endpoint, and an instance without a role has no credentials.
            let token = try await endpoint.text(
                .put, "\(base)/latest/api/token", headers: seconds, absence: [.unreachable, .missing])
            let headers = ["X-aws-ec2-metadata-token": token]
            let roles = "\(base)/latest/meta-data/iam/security-credentials/"
            let role = try AWSEndpoint.role(
                try await endpoint.text(.get, roles, headers: headers, absence: .missing))
            return try AWSEndpoint.credentials(try await endpoint.send(.get, roles + role, headers: headers))
        }
    }
}

/// Requests to an endpoint that gives credentials to a program on the same machine.
struct AWSEndpoint {
    private static let maximumBytes = 64 * 1024
    private static let maximumTokenBytes = 16 * 1024

    /// The failures that mean that a source has no credentials; after any other one another source must not be used.
    struct Absence: OptionSet {
        let rawValue: Int
        /// No connection could be opened.
        static let unreachable = Absence(rawValue: 1)
        /// The status 404.
        static let missing = Absence(rawValue: 2)
    }

    private let client: APIClient

    init(over client: APIClient, total: Duration) {
        let settings = client.settings
        // The settings of the client could send the request through a proxy, log it, or add its credentials.
        var configuration = APIClient.Configuration()
        configuration.timeouts.total = total
        configuration.timeouts.connect = .seconds(1)
        configuration.redirects = .none
        configuration.route.proxy = ProxyOptions.none
        configuration.userAgent = nil
        configuration.networkMonitor = nil
        configuration.maximumCollectedBytes = Self.maximumBytes
        configuration.maximumErrorBodyBytes = 0
        configuration.time = settings.configuration.time
        self.client = APIClient(configuration: configuration, transport: settings.transport)
    }

    func send(
        _ method: RequestMethod, _ url: String, headers: [String: String], absence: Absence = []
    ) async throws -> Data {
        do {
            return try await client.call(method, url, headers: headers).data()
        } catch let error as NetworkError {
            if case .cancelled = error { throw CancellationError() }
            let status = error.statusCode
            var isAbsent = absence.contains(.missing) && status == 404
            if case .urlError(let failure) = error, failure.phase == .connect, absence.contains(.unreachable) {
                isAbsent = true
            }
            throw AWSCredentialsError(
                isAbsent ? .notFound : .unavailable,
                status.map { "the endpoint for AWS credentials responded with \($0)" }
                    ?? "the endpoint for AWS credentials sent no response: \(error)")
        }
    }

    func text(
        _ method: RequestMethod, _ url: String, headers: [String: String], absence: Absence
    ) async throws -> String {
        let data = try await send(method, url, headers: headers, absence: absence)
        let text = String(decoding: data, as: UTF8.self)
        guard data.count <= Self.maximumTokenBytes, !text.isEmpty,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F || $0 == 0x0A })
        else { throw AWSCredentialsError(.malformed, "the instance endpoint sent an invalid text") }
        return text.utf8.last == 0x0A ? String(text.dropLast()) : text
    }

    /// Returns the first name of a list of roles, which becomes part of a URL.
    static func role(_ list: String) throws -> String {
        let role = list.split(separator: "\n").first.map(String.init) ?? ""
        let allowed = ByteSet.letters.union(.digits).union(ByteSet("_+=,.@-"))
        guard (1...64).contains(role.utf8.count), role.utf8.allSatisfy(allowed.contains), role != ".", role != ".."
        else {
            throw AWSCredentialsError(.malformed, "the instance endpoint sent an invalid name of a role")
        }
        return role
    }

    static func containerURL(_ variables: [String: String]) throws -> String {
        if let path = variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] {
            let url = "http://169.254.170.2\(path)"
            guard path.hasPrefix("/"), let origin = try? CookieOrigin(url), origin.host == "169.254.170.2" else {
                throw AWSCredentialsError(.malformed, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is not a path")
            }
            return url
        }
        let name = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
        guard let url = variables[name] else {
            throw AWSCredentialsError(.notFound, "the environment has no \(name)")
        }
        let origin = try origin(of: url, in: name)
        let known = ["169.254.170.2", "169.254.170.23", "fd00:ec2::23"].compactMap { NumericAddress($0) }
        let address = NumericAddress(origin.host)
        guard origin.isTrustworthy || address.map({ $0.isLoopback || known.contains($0) }) == true else {
            throw AWSCredentialsError(
                .untrustedEndpoint, "\(name) needs https, since its host is neither this machine nor an address of AWS")
        }
        return url
    }

    static func containerToken(_ variables: [String: String]) async throws -> String? {
        var token = variables["AWS_CONTAINER_AUTHORIZATION_TOKEN"]
        if let path = variables["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] {
            guard let text = try await AWSProfileFile.read(path) else {
                throw AWSCredentialsError(.unreadable, "\(path): the file of the authorization token does not exist")
            }
            token = text
        }
        while token?.last?.isNewline == true { token?.removeLast() }
        guard let token else { return nil }
        guard token.utf8.count <= maximumTokenBytes, token.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            throw AWSCredentialsError(
                .malformed, "the authorization token of the container is not a header field value")
        }
        return token
    }

    static func instanceURL(_ variables: [String: String]) throws -> String {
        let name = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
        guard var url = variables[name] else {
            let isIPv6 = variables["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"]?.lowercased() == "ipv6"
            return isIPv6 ? "http://[fd00:ec2::254]" : "http://169.254.169.254"
        }
        let origin = try origin(of: url, in: name)
        let address = NumericAddress(origin.host)
        guard
            origin.isTrustworthy || address.map({ $0.isLoopback || $0.isLinkLocal }) == true
                || address == NumericAddress("fd00:ec2::254")
        else {
            throw AWSCredentialsError(
                .untrustedEndpoint, "\(name) needs https, since its host is not on this machine or its local link")
        }
        guard !url.contains("?"), !url.contains("#") else {
            throw AWSCredentialsError(.malformed, "\(name) has a query or a fragment")
        }
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }

    private static func origin(of url: String, in name: String) throws -> CookieOrigin {
        guard let origin = try? CookieOrigin(url), url.lowercased().hasPrefix("http") else {
            throw AWSCredentialsError(.malformed, "\(name) is not a URL of http or https")
        }
        return origin
    }

    /// The JSON of both endpoints.
    private struct Answer: Decodable {
        var code: String?
        var accessKeyID: String?
        var secretAccessKey: String?
        var token: String?
        var expiration: String?

        private enum CodingKeys: String, CodingKey {
            case code = "Code"
            case accessKeyID = "AccessKeyId"
            case secretAccessKey = "SecretAccessKey"
            case token = "Token"
            case expiration = "Expiration"
        }
    }

    static func credentials(_ data: Data) throws -> AWSCredentials {
        let answer = try? JSONDecoder().decode(Answer.self, from: data)
        if let code = answer?.code, code != "Success" {
            let name = LogText.quoted(String(code.prefix(64)))
            throw AWSCredentialsError(.unavailable, "the endpoint for AWS credentials failed: \(name)")
        }
        guard let answer, let id = answer.accessKeyID, !id.isEmpty, let secret = answer.secretAccessKey,
            !secret.isEmpty, let token = answer.token, let expiration = answer.expiration.flatMap(date)
        else { throw AWSCredentialsError(.malformed, "the endpoint sent no valid AWS credentials") }
        return AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token, expiration: expiration)
    }

    /// Parses a date in UTC like `2026-11-27T23:25:06Z` or `2026-11-27T23:25:06+00:00`; a fraction of the second is
    /// ignored.
    static func date(_ text: String) -> Date? {
        let text = text.hasSuffix("+00:00") ? "\(text.dropLast(6))Z" : text
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 32, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T")
        else {
            return nil
        }
        let digits = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].flatMap { bytes[$0] }
        return UTCDate.date(digits: digits)
    }
}
