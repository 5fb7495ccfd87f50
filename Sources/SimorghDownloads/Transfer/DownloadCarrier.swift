// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore
import SimorghSupport

/// Fetches whole files in place of the client, as a system does that goes on while the program does not run.
///
/// It moves bytes and judges nothing: what a status means, whether the file is whole, its hash and its name are for the
/// ``DownloadManager`` to say. `SimorghURLSession` has one for Apple's background sessions.
public protocol DownloadCarrier: Sendable {
    /// Fetches a file, or waits for a transfer of the same id that goes on since an earlier run of the program.
    ///
    /// - Parameters:
    ///   - transfer: What to fetch.
    ///   - progress: Is told how many bytes are there, and how many there will be.
    /// - Returns: The response, and where its body lies.
    /// - Throws: ``/SimorghCore/TransportError``. A cancelled task throws ``/SimorghCore/TransportError/Code/cancelled``; the carrier keeps what is there, if it
    ///   can, for the next call with the same id.
    func fetch(
        _ transfer: CarriedTransfer, progress: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws(TransportError) -> CarriedFile

    /// Gives up what it keeps of a transfer.
    ///
    /// - Parameter id: The id of the transfer.
    func discard(_ id: UUID)

    /// Says what to do when the system has told all that happened while the program did not run.
    ///
    /// - Parameter action: What to do.
    func whenEventsAreTold(_ action: @escaping @Sendable () -> Void)
}

/// What a ``DownloadCarrier`` is to fetch.
public struct CarriedTransfer: Sendable, Hashable {
    /// Names it, also after a restart of the program.
    public var id: UUID
    /// Where it is fetched from.
    public var url: String
    /// The header fields of the request.
    public var headers: [String: String]
    /// Whether the network of a mobile phone may be used.
    public var allowsCellularAccess: Bool
    /// Whether a network that costs money may be used.
    public var allowsExpensiveNetworkAccess: Bool
    /// How long a server may be silent, in seconds.
    public var timeout: Double

    package init(
        id: UUID, url: String, headers: [String: String], allowsCellularAccess: Bool,
        allowsExpensiveNetworkAccess: Bool, timeout: Double
    ) {
        self.id = id
        self.url = url
        self.headers = headers
        self.allowsCellularAccess = allowsCellularAccess
        self.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        self.timeout = timeout
    }
}

/// What a ``DownloadCarrier`` brought.
public struct CarriedFile: Sendable {
    /// The URL that answered.
    public var url: String
    /// The status code.
    public var status: Int
    /// The header fields.
    public var fields: HTTPFields
    /// The path of the body, which belongs to whoever asked for it.
    public var path: String

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - url: The URL that answered.
    ///   - status: The status code.
    ///   - fields: The header fields.
    ///   - path: The path of the body.
    public init(url: String, status: Int, fields: HTTPFields, path: String) {
        self.url = url
        self.status = status
        self.fields = fields
        self.path = path
    }
}
