// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The challenges that servers have answered well to, so that later requests bring their answer at once: a value, with a
/// bound on origins and on protection spaces.
package struct DigestSessions: Sendable {
    /// How many origins are remembered, the least recently used forgotten first, and how many spaces of each.
    package static let (maximumOrigins, maximumSpaces) = (64, 8)

    /// What a request's answer is made of.
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

    /// The most recently used last.
    private var origins: [(origin: WebOrigin, sessions: [Session])] = []

    package init() {}

    /// The answer for a request whose space is known; `nil` where none is.
    package mutating func use(for target: String, at origin: WebOrigin, newNonce: () -> String) -> Use? {
        guard let place = origins.firstIndex(where: { $0.origin == origin }),
            let index = origins[place].sessions.lastIndex(where: { $0.challenge.covers(target) })
        else { return nil }
        origins.append(origins.remove(at: place))
        return take(index, newNonce)
    }

    /// Remembers a challenge in the place of the one for its realm, and answers it.
    package mutating func use(_ challenge: DigestChallenge, at origin: WebOrigin, newNonce: () -> String) -> Use {
        var sessions: [Session] = []
        if let place = origins.firstIndex(where: { $0.origin == origin }) {
            sessions = origins.remove(at: place).sessions
        }
        let known = sessions.first { $0.challenge.nonce == challenge.nonce && $0.challenge.realm == challenge.realm }
        sessions.removeAll { $0.challenge.realm == challenge.realm && $0.challenge.paths == challenge.paths }
        // A nonce that other requests use meanwhile goes on counting; no number is used twice.
        sessions.append(known ?? Session(challenge: challenge, clientNonce: newNonce()))
        origins.append((origin, sessions.suffix(Self.maximumSpaces)))
        if origins.count > Self.maximumOrigins { origins.removeFirst() }
        return take(origins[origins.count - 1].sessions.count - 1, newNonce)
    }

    /// Forgets a challenge whose answer was refused, unless a newer one has taken its place.
    package mutating func forget(_ challenge: DigestChallenge, at origin: WebOrigin) {
        guard let place = origins.firstIndex(where: { $0.origin == origin }) else { return }
        origins[place].sessions.removeAll { $0.challenge.nonce == challenge.nonce }
        if origins[place].sessions.isEmpty { origins.remove(at: place) }
    }

    /// Goes on with the nonce that a server names for the next request.
    package mutating func replace(_ nonce: String, with next: String, at origin: WebOrigin, newNonce: () -> String) {
        guard nonce != next, let place = origins.firstIndex(where: { $0.origin == origin }),
            let index = origins[place].sessions.firstIndex(where: { $0.challenge.nonce == nonce })
        else { return }
        var challenge = origins[place].sessions[index].challenge
        challenge.nonce = next
        origins[place].sessions[index] = Session(challenge: challenge, clientNonce: newNonce())
    }

    /// How many origins are remembered.
    package var count: Int { origins.count }

    /// The next answer of the most recently used origin's session.
    private mutating func take(_ index: Int, _ newNonce: () -> String) -> Use {
        let last = origins.count - 1
        origins[last].sessions[index].count += 1
        let session = origins[last].sessions[index]
        // The hash of a session's secret holds the client's nonce, so that one stays; else each request has its own.
        return Use(
            challenge: session.challenge, count: session.count,
            clientNonce: session.challenge.isSession || session.count == 1 ? session.clientNonce : newNonce())
    }
}
