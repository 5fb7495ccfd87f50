// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import HTTPTypes
import SimorghCore
import SimorghSupport

/// The server of a request, as the semantic conventions describe it.
struct HTTPOrigin: Sendable, Hashable {
    /// The methods that are recorded unchanged; others would make the number of values unbounded.
    static let knownMethods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
    ]

    let scheme: String
    let host: String
    let port: Int

    init(_ head: HTTPRequest) {
        scheme = head.scheme ?? "http"
        let written = (head.authority ?? "")[...]
        // Metrics and traces must not contain a user name or password.
        let authority = written.utf8.lastIndex(of: UInt8(ascii: "@")).map { written[$0...].dropFirst() } ?? written
        let (name, port) = URLReference.hostAndPort(of: authority)
        let number = port.flatMap { Int($0) }
        host = Self.bare(number == nil ? authority : name)
        self.port = number ?? (scheme == "https" ? 443 : 80)
    }

    /// Returns the HTTP version of a connection, such as `1.1` or `2`.
    static func version(_ connection: ConnectionInfo) -> String {
        connection.applicationProtocol.hasPrefix("h2")
            ? "2" : String(connection.applicationProtocol.split(separator: "/").last ?? "1.1")
    }

    /// Returns the address and port of `address:port`; `nil` for other texts, such as the path of a socket.
    static func peer(_ text: String) -> (address: String, port: Int)? {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else { return nil }
        return (bare(text[..<colon]), port)
    }

    /// Returns the kind of an error, with low cardinality.
    static func type(of error: any Error) -> String {
        switch error {
        case let error as TransportError: error.code.description
        case let error as NetworkError:
            error.statusCode.map(String.init) ?? (error.underlyingError as? TransportError)?.code.description
                ?? error.kind
        case is CancellationError: "cancelled"
        default: String(describing: Swift.type(of: error))
        }
    }

    private static func bare(_ host: Substring) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
    }
}
#endif
