// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A source of AWS credentials.
///
/// Copies of a source share the credentials that it keeps in memory. Temporary credentials are replaced five minutes
/// before they expire, while requests use the old ones; only in the last minute requests wait. All requests share one
/// load. If that fails, those that are still valid are used, and the source is asked again after five seconds. Without
/// valid credentials, all requests of these five seconds fail with the same error, so that a missing endpoint is not
/// asked for each request. A request waits until its deadline; without one 30 seconds.
public struct AWSCredentialsSource: Sendable {
    private let cache: AWSCredentialsCache

    private init(_ cache: AWSCredentialsCache) { self.cache = cache }

    /// Creates a source from a function.
    ///
    /// - Parameter load: Returns the credentials. It is called before the first request, five minutes before their
    ///   expiration, and for permanent credentials every five minutes. Its own requests must not need them.
    public init(_ load: @escaping @Sendable () async throws -> AWSCredentials) {
        cache = AWSCredentialsCache(load)
    }

    /// Returns a source with fixed credentials.
    ///
    /// - Parameter credentials: The credentials.
    /// - Returns: The source.
    public static func fixed(_ credentials: AWSCredentials) -> AWSCredentialsSource {
        AWSCredentialsSource(AWSCredentialsCache(fixed: credentials))
    }

    /// The variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN` of the environment.
    ///
    /// Without keys, `AWS_WEB_IDENTITY_TOKEN_FILE` is an error and not an absence: it names a role, such as that of a
    /// service account of EKS, which is not supported, and another source would have other rights.
    public static let environment = environment(in: { ProcessInfo.processInfo.environment })

    package static func environment(in variables: @escaping @Sendable () -> [String: String]) -> AWSCredentialsSource {
        AWSCredentialsSource {
            let variables = variables().filter { !$0.value.isEmpty }
            guard let id = variables["AWS_ACCESS_KEY_ID"] else {
                guard variables["AWS_WEB_IDENTITY_TOKEN_FILE"] == nil else {
                    throw AWSCredentialsError(
                        .unsupported,
                        "the environment names a role by AWS_WEB_IDENTITY_TOKEN_FILE, which is not supported")
                }
                throw AWSCredentialsError(.notFound, "the environment has no AWS_ACCESS_KEY_ID")
            }
            guard let secret = variables["AWS_SECRET_ACCESS_KEY"] else {
                throw AWSCredentialsError(
                    .malformed, "the environment has AWS_ACCESS_KEY_ID, but not AWS_SECRET_ACCESS_KEY")
            }
            return AWSCredentials(
                accessKeyID: id, secretAccessKey: secret, sessionToken: variables["AWS_SESSION_TOKEN"])
        }
    }

    /// Returns a source that asks others in order, and uses the first one that has credentials.
    ///
    /// A source that has credentials but cannot read them ends the search with its error. A chain keeps its own copy of
    /// the credentials: a source that is also used alone is asked for both.
    ///
    /// - Parameter sources: The sources.
    /// - Returns: The source.
    public static func chain(_ sources: [AWSCredentialsSource]) -> AWSCredentialsSource {
        AWSCredentialsSource {
            var reasons: [String] = []
            for source in sources {
                do {
                    return try await source.cache.load()
                } catch let error as AWSCredentialsError where error.reason == .notFound {
                    reasons.append(error.description)
                }
            }
            throw AWSCredentialsError(
                .notFound, "no source has AWS credentials: \(reasons.joined(separator: "; "))")
        }
    }

    /// Returns the usual sources: the environment, the profile, the endpoint of a container, and that of an instance.
    ///
    /// - Parameter client: The client whose transport reaches the endpoints; its other settings are not used.
    /// - Returns: The source.
    public static func automatic(over client: APIClient) -> AWSCredentialsSource {
        chain([.environment, .profile(), .container(over: client), .instance(over: client)])
    }

    /// Returns credentials that are valid now.
    ///
    /// - Returns: The credentials.
    /// - Throws: ``AWSCredentialsError``, the error of the function, or `CancellationError`.
    public func current() async throws -> AWSCredentials { try await current(at: Date(), for: nil) }

    func current(at date: Date, for request: TransportRequest?) async throws -> AWSCredentials {
        try await cache.current(at: date, for: request)
    }
}

extension AWSCredentialsSource: CustomReflectable {
    /// An empty mirror, so that dumping a value does not reveal the credentials.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
