// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Dispatch
package import SimorghCore
import Synchronization

extension BackgroundTransfers {
    private static let table = Mutex<[String: BackgroundTransfers]>([:])

    /// Returns the transfers of a session, which all users of the session in this process share.
    ///
    /// A process may have one session of an identifier, which lives until the system invalidates it. So do its TLS
    /// options: a connection that was judged under one user's options may serve the next user.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the session.
    ///   - tls: The TLS options of the user, for a new session.
    ///   - make: Creates the session.
    /// - Returns: The transfers, whose ``trust`` may have other options.
    /// - Throws: An error if a file of the options cannot be used.
    package static func named(
        _ identifier: String, tls: TLSOptions,
        make: (BackgroundTrust, DispatchQueue, @escaping @Sendable (BackgroundSessionEvent) -> Void) ->
            any BackgroundSession
    ) throws(TransportError) -> BackgroundTransfers {
        try table.withLock { table throws(TransportError) in
            if let known = table[identifier], !known.isInvalid { return known }
            let trust = BackgroundTrust(tls)
            if let fault = trust.fault { throw fault }
            let transfers = BackgroundTransfers(identifier, trust: trust) { make(trust, $0, $1) }
            table[identifier] = transfers
            return transfers
        }
    }

    /// Throws an error if the session has other TLS options than a user.
    ///
    /// - Parameter tls: The options of the user.
    /// - Throws: An error that names the session.
    package func check(_ tls: TLSOptions) throws(TransportError) {
        if trust.options != tls { throw BackgroundRequestValidation.otherTrust(identifier) }
    }
}
