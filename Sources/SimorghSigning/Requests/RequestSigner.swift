// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// Signs each attempt of a request, just before it is sent and after all waits.
///
/// ```swift
/// let signer = SigV4Signer.s3(region: "eu-west-1", credentials: .environment)
/// let bucket = APIClient(baseURL: "https://birds.s3.eu-west-1.amazonaws.com").with {
///     $0.authentication = .signed(by: signer)
/// }
/// ```
/// A signer sees the request as it goes on the wire, below retries, redirects, cookies and caches. Each retry, each
/// redirect and each hedged attempt is signed anew, with the date of that moment. Steps after it, which are the
/// ``/SimorghCore/APIClient/Configuration/networkInterceptors``, must not change what the signature covers.
public protocol RequestSigner: Sendable {
    /// Signs a request.
    ///
    /// - Parameters:
    ///   - request: The request of one attempt.
    ///   - date: The current date.
    /// - Returns: The request with its signature. A request that must not be signed is returned unchanged.
    /// - Throws: ``SigningError``, or the error of the source of the credentials.
    func signed(_ request: TransportRequest, at date: Date) async throws -> TransportRequest

    /// Signs a request once more, with another signature, after the server rejected it with 400, 401 or 403.
    ///
    /// It is called at most once for each attempt, and only if the body can be sent again. A server may have processed
    /// a request before it responds with 400 or 403: sign one that is not idempotent again only if the response names
    /// the signature.
    ///
    /// - Parameters:
    ///   - request: The request, without a signature.
    ///   - rejection: The response of the server, and the request that it rejected.
    ///   - date: The current date.
    /// - Returns: The request with another signature; `nil`, the default, if another signature would not help.
    /// - Throws: ``SigningError``, or the error of the source of the credentials. The caller then gets the response
    ///   that rejected the request, unless the call was cancelled.
    func signedAgain(
        _ request: TransportRequest, after rejection: SignatureRejection, at date: Date
    ) async throws -> TransportRequest?

    /// Remembers that a server accepted the signature of ``signedAgain(_:after:at:)``: its response had a status from
    /// 200 to 399.
    ///
    /// - Parameter request: The request with that signature.
    func accepted(_ request: TransportRequest)
}

extension RequestSigner {
    /// Does nothing.
    ///
    /// - Parameter request: The request with its second signature.
    public func accepted(_ request: TransportRequest) {}

    /// Returns `nil`: the rejected request stays rejected.
    ///
    /// - Parameters:
    ///   - request: The request, without a signature.
    ///   - rejection: The response of the server.
    ///   - date: The current date.
    /// - Returns: `nil`.
    /// - Throws: Nothing.
    public func signedAgain(
        _ request: TransportRequest, after rejection: SignatureRejection, at date: Date
    ) async throws -> TransportRequest? { nil }
}
