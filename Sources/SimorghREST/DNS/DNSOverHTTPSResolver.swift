// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport
import Synchronization

/// A resolver that asks a DNS server over HTTPS (RFC 8484), so that the network sees neither the names nor can change
/// the addresses.
///
/// ```swift
/// import SimorghNIO
///
/// var options = DNSOverHTTPSResolver.Options()
/// options.bootstrap = ["192.0.2.53", "2001:db8::53"]
/// let resolver = try DNSOverHTTPSResolver(url: "https://dns.example/dns-query", options: options)
/// var configuration = NIOTransport.Configuration()
/// configuration.resolver = resolver
/// let transport = NIOTransport(configuration: configuration)
/// ```
/// The engine of `import SimorghNIO` asks for both address families at the same time. Answers are kept in memory for
/// their time to live, at most a day, and negative ones for at most five minutes. Names below `localhost` are this
/// machine's, and names below `local` are never sent to the server. The file `hosts` and search domains are not used.
///
/// The resolver never resolves the name of its own server: with ``Options/bootstrap`` it needs no other resolver, and
/// without it the transport that carries the queries does, which must not use this resolver.
///
/// If the server fails, the name is not resolved, unless there is a ``Options/fallback``. Answers of the server, such as
/// that a name does not exist, are final.
public final class DNSOverHTTPSResolver: HostResolver {
    /// The HTTP method of the queries.
    public enum Method: Sendable, Hashable, CaseIterable {
        /// GET with the query in the URL: HTTP caches can answer it, and simultaneous equal queries are one request.
        case get
        /// POST with the query as the body.
        case post
    }

    /// The options of a resolver.
    public struct Options: Sendable {
        /// The HTTP method of the queries.
        ///
        /// Default: GET.
        public var method = Method.get
        /// The addresses of the DNS server.
        ///
        /// Default: none, the transport of the queries resolves the name of the server.
        public var bootstrap: [String] = []
        /// The time for one query.
        ///
        /// Default: 5 seconds.
        public var timeout: Duration = .seconds(5)
        /// The largest number of answers to keep; zero keeps none.
        ///
        /// Default: 1,000.
        public var maximumCachedAnswers = 1_000
        /// The TLS options of the connection to the DNS server.
        public var tls = TLSOptions()
        /// The route to the DNS server, such as a proxy.
        ///
        /// Default: that of a new client.
        public var route = RouteOptions()
        /// The resolver to ask if the DNS server cannot be reached, fails or sends an invalid answer, and for names below
        /// `local`.
        ///
        /// Default: `nil`, the name is not resolved, so that no other server learns it.
        public var fallback: (any HostResolver)?
        /// The clock of the kept answers.
        ///
        /// Default: the system's.
        public var time = TimeSource.system

        /// Creates the default options.
        public init() {}
    }

    private static let mediaType = "application/dns-message"

    private let url: String
    private let ownHost: String
    private let options: Options
    private let client: APIClient
    private let cache: Mutex<DNSAnswerCache>

    /// Creates a resolver.
    ///
    /// - Parameters:
    ///   - url: The URL of the DNS server, with `https`; the end `{?dns}` of a URI template is ignored.
    ///   - transport: The transport of the queries; it must not use this resolver.
    ///   - options: The options.
    /// - Throws: `InvalidRequestError` if the URL cannot be used.
    public init(url: String, transport: any Transport, options: Options = Options()) throws {
        let template = "{?dns}"
        let url = url.hasSuffix(template) ? String(url.dropLast(template.count)) : url
        let base = try BaseURL.absolute(url, schemes: ["https"]).base
        for address in options.bootstrap where NumericAddress(address) == nil {
            throw InvalidRequestError(.invalidURL, message: "\(address) is not the address of a DNS server")
        }
        self.url = url
        ownHost = Self.bare(base.host)
        self.options = options
        cache = Mutex(DNSAnswerCache(capacity: options.maximumCachedAnswers))
        var configuration = APIClient.Configuration()
        configuration.timeouts.total = options.timeout
        configuration.tls = options.tls
        configuration.route = options.route
        configuration.redirects = .none
        configuration.maximumCollectedBytes = DNSAnswer.maximumBytes
        configuration.resilience.coalescesRequests = true
        // The server needs to know no more than the question (RFC 8484, section 8.2).
        configuration.userAgent = nil
        if !options.bootstrap.isEmpty {
            let host = base.host.contains(":") ? "[\(base.host)]" : base.host
            configuration.route.addresses["\(host):\(base.port)"] = options.bootstrap
        }
        client = APIClient(configuration: configuration, transport: transport)
    }

    /// Resolves the addresses of one family.
    ///
    /// - Parameters:
    ///   - host: The host name.
    ///   - family: The address family.
    /// - Returns: The addresses, in the order of the server; empty if the host has no address of this family.
    /// - Throws: ``DNSOverHTTPSError``; a cancelled task throws `CancellationError`.
    public func addresses(of host: String, family: AddressFamily) async throws -> [String] {
        let isIPv6 = family == .ipv6
        if let address = NumericAddress(host) { return address.isIPv6 == isIPv6 ? [host] : [] }
        let name = Self.bare(host.lowercased())
        if name == "localhost" || name.hasSuffix(".localhost") { return [isIPv6 ? "::1" : "127.0.0.1"] }
        if name == ownHost {
            guard !options.bootstrap.isEmpty else {
                throw DNSOverHTTPSError(
                    .ownName, host: host,
                    message: "the resolver does not resolve the name of its own server; set its addresses (bootstrap)")
            }
            return options.bootstrap.filter { NumericAddress($0)?.isIPv6 == isIPv6 }
        }
        if name == "local" || name.hasSuffix(".local") {
            guard let fallback = options.fallback else {
                throw DNSOverHTTPSError(
                    .nonexistentName, host: host, message: "names below local are not resolved by DNS")
            }
            return try await fallback.addresses(of: host, family: family)
        }
        guard let dnsName = DNSName(name) else {
            throw DNSOverHTTPSError(.invalidName, host: host, message: "it is not a name that DNS can resolve")
        }
        let answer: DNSAnswer
        do throws(DNSOverHTTPSError) {
            answer = try await self.answer(to: DNSQuestion(dnsName, type: isIPv6 ? .aaaa : .a), host: host)
        } catch {
            try Task.checkCancellation()
            guard let fallback = options.fallback else { throw error }
            return try await fallback.addresses(of: host, family: family)
        }
        guard !answer.isNonexistent else {
            throw DNSOverHTTPSError(.nonexistentName, host: host, message: "the name does not exist", responseCode: 3)
        }
        return answer.addresses.map(\.description)
    }

    private func answer(to question: DNSQuestion, host: String) async throws(DNSOverHTTPSError) -> DNSAnswer {
        if let known = cache.withLock({ $0.answer(to: question) }) { return known }
        let response: CollectedResponse
        do {
            response = try await call(question).response().response
        } catch let error as NetworkError {
            throw DNSOverHTTPSError(
                .unreachable, host: host, message: "the DNS server could not be asked: \(error)", underlying: error)
        } catch {
            throw DNSOverHTTPSError(.unreachable, host: host, message: "the DNS server could not be asked: \(error)")
        }
        let type = response.header("Content-Type")?.cut(at: ";").first.map { String($0.trimmed).lowercased() }
        guard type == Self.mediaType else {
            throw DNSOverHTTPSError(
                .invalidAnswer, host: host, message: "the DNS server did not send \(Self.mediaType)")
        }
        let answer: DNSAnswer
        do throws(DNSMessageError) {
            answer = try DNSAnswer(Array(response.body), to: question)
        } catch {
            throw DNSOverHTTPSError(error, host: host)
        }
        let age = response.header("Age").map { UInt32($0) ?? .max } ?? 0
        cache.withLock { $0.store(answer, to: question, age: age, time: options.time) }
        return answer
    }

    private func call(_ question: DNSQuestion) -> Call<Data> {
        let headers = ["Accept": Self.mediaType]
        switch options.method {
        case .get:
            let text = Base64.text(question.query).replacing("+", with: "-").replacing("/", with: "_")
            let value = String(text.prefix { $0 != "=" })
            return client.call(.get, url, query: QueryItems([QueryItem(name: "dns", value: value)]), headers: headers)
        case .post:
            return client.call(
                .post, url, headers: headers, body: .bytes(Data(question.query), contentType: Self.mediaType))
        }
    }

    /// Returns a name without the dot of the root.
    private static func bare(_ name: String) -> String { name.hasSuffix(".") ? String(name.dropLast()) : name }
}
