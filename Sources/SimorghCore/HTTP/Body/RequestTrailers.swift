// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The trailer fields of a request: announced before the body, created when the body has been read.
package final class RequestTrailers: Sendable {
    /// The names, as listed in the field `Trailer`.
    package let announcement: String
    private let names: Set<String>
    private let make: @Sendable () async throws -> [String: String]

    init(
        _ names: [String], make: @escaping @Sendable () async throws -> [String: String]
    ) throws(InvalidRequestError) {
        guard !names.isEmpty else {
            throw InvalidRequestError(.invalidHeader, message: "the list of trailer names is empty")
        }
        var known: Set<String> = []
        for name in names {
            let name = try HeaderRules.field(name: name, value: "").name.canonicalName
            guard !Self.forbidden.contains(name), !name.hasPrefix("if-") else {
                throw InvalidRequestError(
                    .invalidHeader, message: "the field \(name) is not allowed as a trailer (RFC 9110)")
            }
            known.insert(name)
        }
        self.names = known
        announcement = names.joined(separator: ", ")
        self.make = make
    }

    /// Fields that frame, route or modify a request, authenticate it, or describe its body (RFC 9110, section 6.5.1).
    ///
    /// A recipient that has read only the head would have understood the request differently.
    private static let forbidden: Set<String> = [
        "accept-encoding", "authorization", "cache-control", "connection", "content-encoding", "content-length",
        "content-range", "content-type", "cookie", "expect", "host", "keep-alive", "max-forwards", "pragma",
        "proxy-authenticate", "proxy-authorization", "proxy-connection", "range", "set-cookie", "te", "trailer",
        "transfer-encoding", "upgrade", "www-authenticate",
    ]

    /// Creates the fields, once the body has been read.
    ///
    /// - Returns: The fields, sorted by name.
    /// - Throws: The error of the caller's closure, or ``InvalidRequestError`` for fields that cannot be sent.
    package func fields() async throws -> HTTPFields {
        let fields = try HeaderRules.fields(try await make())
        for field in fields where !names.contains(field.name.canonicalName) {
            throw InvalidRequestError(
                .invalidHeader, message: "the trailer field \(field.name.rawName) was not announced")
        }
        return fields
    }
}

extension RequestBody {
    /// Returns the same body with trailer fields, such as a checksum of the bytes sent (RFC 9110, section 6.5).
    ///
    /// ```swift
    /// let body = try RequestBody.stream { digested(file) }.withTrailers(["Content-Digest"]) { ["Content-Digest": digest.value] }
    /// ```
    /// The names are announced in the field `Trailer`. Over HTTP/1.1 such a body is sent in chunked coding, even if
    /// its length is known; over HTTP/2 the trailers end the stream. Servers may drop them.
    ///
    /// - Parameters:
    ///   - names: The names of the fields. Fields that frame the request, describe its body or hold a credential are
    ///     rejected.
    ///   - fields: Creates the fields when the whole body has been read, each time it is sent; it may leave announced
    ///     fields out. An error that it throws ends the request.
    /// - Returns: The body.
    /// - Throws: ``InvalidRequestError`` for a name that is not allowed as a trailer.
    public func withTrailers(
        _ names: [String], fields: @escaping @Sendable () async throws -> [String: String]
    ) throws -> RequestBody {
        var body = isEmpty ? RequestBody.bytes(Data(), contentType: nil) : self
        body.trailers = try RequestTrailers(names, make: fields)
        return body
    }
}
