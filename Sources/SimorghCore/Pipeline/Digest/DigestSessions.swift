// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The Digest challenges of servers, so that later requests can send their credentials at once.
///
/// The number of origins, and of protection spaces per origin, is limited.
package struct DigestSessions: Sendable {
    /// The maximum number of origins, beyond which the least recently used is removed, and of protection spaces of
    /// each.
    package static let (maximumOrigins, maximumSpaces) = (64, 8)

    /// The input for the credentials of one request.
    package struct Use: Equatable, Sendable {
        package let challenge: DigestChallenge
        package let count: Int
        package let clientNonce: String
    }

    private struct Session {
        var challenge: DigestChallenge
        var clientNonce: String
        var count = 0
    }

    /// The sessions by origin, with the most recently used origin last.
    private var origins: [(origin: WebOrigin, sessions: [Session])] = []

    package init() {}

    /// Returns the input for a request in a known protection space; `nil` if the space is unknown.
    package mutating func use(for target: String, at origin: WebOrigin, newNonce: () -> String) -> Use? {
        guard let position = origins.firstIndex(where: { $0.origin == origin }),
            let index = origins[position].sessions.lastIndex(where: { $0.challenge.covers(target) })
        else { return nil }
        origins.append(origins.remove(at: position))
        return take(index, newNonce: newNonce)
    }

    /// Stores a challenge in place of the previous one for its realm, and returns the input for a request.
    package mutating func use(_ challenge: DigestChallenge, at origin: WebOrigin, newNonce: () -> String) -> Use {
        var sessions: [Session] = []
        if let position = origins.firstIndex(where: { $0.origin == origin }) {
            sessions = origins.remove(at: position).sessions
        }
        let known = sessions.first { $0.challenge.nonce == challenge.nonce && $0.challenge.realm == challenge.realm }
        sessions.removeAll { $0.challenge.realm == challenge.realm && $0.challenge.paths == challenge.paths }
        // A nonce that other requests use at the same time keeps its counter, so that no count is used twice.
        sessions.append(known ?? Session(challenge: challenge, clientNonce: newNonce()))
        origins.append((origin, sessions.suffix(Self.maximumSpaces)))
        if origins.count > Self.maximumOrigins { origins.removeFirst() }
        return take(origins[origins.count - 1].sessions.count - 1, newNonce: newNonce)
    }

    /// Removes a challenge whose credentials were rejected, unless a newer challenge has replaced it.
    package mutating func forget(_ challenge: DigestChallenge, at origin: WebOrigin) {
        guard let position = origins.firstIndex(where: { $0.origin == origin }) else { return }
        origins[position].sessions.removeAll { $0.challenge.nonce == challenge.nonce }
        if origins[position].sessions.isEmpty { origins.remove(at: position) }
    }

    /// Replaces a nonce with the one that the server sent for the next request.
    package mutating func replace(_ nonce: String, with next: String, at origin: WebOrigin, newNonce: () -> String) {
        guard nonce != next, let position = origins.firstIndex(where: { $0.origin == origin }),
            let index = origins[position].sessions.firstIndex(where: { $0.challenge.nonce == nonce })
        else { return }
        var challenge = origins[position].sessions[index].challenge
        challenge.nonce = next
        origins[position].sessions[index] = Session(challenge: challenge, clientNonce: newNonce())
    }

    /// The number of stored origins.
    package var count: Int { origins.count }

    /// Returns the next input from a session of the most recently used origin.
    private mutating func take(_ index: Int, newNonce: () -> String) -> Use {
        let last = origins.count - 1
        origins[last].sessions[index].count += 1
        let session = origins[last].sessions[index]
        // A session algorithm hashes the client nonce into its secret, so the nonce stays; otherwise each request has
        // its own.
        return Use(
            challenge: session.challenge, count: session.count,
            clientNonce: session.challenge.isSession || session.count == 1 ? session.clientNonce : newNonce())
    }
}
