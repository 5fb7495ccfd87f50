// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The fields behind a request's body: announced before it, made when it has been read.
package final class RequestTrailers: Sendable {
    /// The names, as the field `Trailer` lists them.
    package let announcement: String
    private let names: Set<String>
    private let make: @Sendable () async throws -> [String: String]

    init(
        _ names: [String], _ make: @escaping @Sendable () async throws -> [String: String]
    ) throws(InvalidRequest) {
        guard !names.isEmpty else { throw InvalidRequest(.invalidHeader, "trailers without a name") }
        var known: Set<String> = []
        for name in names {
            let name = try HeaderRules.field(name: name, value: "").name.canonicalName
            guard !Self.forbidden.contains(name), !name.hasPrefix("if-") else {
                throw InvalidRequest(.invalidHeader, "the field \(name) has no place behind a body (RFC 9110)")
            }
            known.insert(name)
        }
        self.names = known
        announcement = names.joined(separator: ", ")
        self.make = make
    }

    /// What frames, routes or changes a request, gives it rights, or says how to read its body (RFC 9110, section 6.5.1):
    /// whoever read the head alone would have taken it otherwise.
    private static let forbidden: Set<String> = [
        "accept-encoding", "authorization", "cache-control", "connection", "content-encoding", "content-length",
        "content-range", "content-type", "cookie", "expect", "host", "keep-alive", "max-forwards", "pragma",
        "proxy-authenticate", "proxy-authorization", "proxy-connection", "range", "set-cookie", "te", "trailer",
        "transfer-encoding", "upgrade", "www-authenticate",
    ]

    /// The fields, once the body was read.
    ///
    /// - Returns: The fields, in the order of their names.
    /// - Throws: What their maker throws, or ``InvalidRequest`` for what cannot be sent.
    package func fields() async throws -> HTTPFields {
        let fields = try HeaderRules.fields(try await make())
        for field in fields where !names.contains(field.name.canonicalName) {
            throw InvalidRequest(.invalidHeader, "the field \(field.name.rawName) behind the body was not announced")
        }
        return fields
    }
}

extension RequestBody {
    /// The same body with fields behind it, such as a checksum of what was sent (RFC 9110, section 6.5).
    ///
    /// ```swift
    /// let body = try RequestBody.stream { digested(file) }.withTrailers(["Content-Digest"]) { ["Content-Digest": digest.value] }
    /// ```
    /// The names are announced in the field `Trailer`. Over HTTP/1.1 such a body goes out in chunked coding, whether or
    /// not its length is known; over HTTP/2 the fields are the last of the stream. Servers may drop them.
    ///
    /// - Parameters:
    ///   - names: The names of the fields; none that frames the request, says how to read its body, or is a credential.
    ///   - fields: Makes the fields when all of the body was read, each time it is sent; one of them may be left out. What
    ///     it throws ends the request.
    /// - Returns: The body.
    /// - Throws: ``InvalidRequest`` for a name that may not stand there.
    public func withTrailers(
        _ names: [String], _ fields: @escaping @Sendable () async throws -> [String: String]
    ) throws -> RequestBody {
        var body = isEmpty ? RequestBody.bytes(Data(), contentType: nil) : self
        body.trailers = try RequestTrailers(names, fields)
        return body
    }
}
