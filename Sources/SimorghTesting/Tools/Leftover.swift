// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore

/// One thing that is held or running.
package struct Leftover: Hashable, Sendable {
    /// Tells it from others of its name; `nil` where who watches it knows nothing but names.
    package let id: Int?
    /// What it is, in words.
    package let name: String
    /// Kept as long as this is, so that its number is nobody else's meanwhile.
    private let holder: (any RequestCarrier)?

    package init(id: Int? = nil, name: String) {
        self.id = id
        self.name = name
        holder = nil
    }

    /// What carries a request.
    package init(_ carrier: any RequestCarrier) {
        let request = carrier.carried
        id = Int(bitPattern: ObjectIdentifier(carrier))
        let call = request.options.call.map { " of call \($0.id.rawValue)" } ?? ""
        name = "request\(call): \(Self.name(of: request.head))"
        holder = carrier
    }

    /// What a request is called: its method, and its URL without the query, which may hold a key.
    package static func name(of head: HTTPRequest) -> String {
        "\(head.method.rawValue) \(ShownURL.withoutQuery(head.urlString))"
    }

    package static func == (left: Leftover, right: Leftover) -> Bool {
        left.id == right.id && left.name == right.name
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(name)
    }

    /// All that is left over of something that is watched.
    static func all(of watched: any LeakWatched) -> [Leftover] {
        if let numbered = watched as? any NumberedLeftovers { return numbered.numberedLeftovers }
        return watched.leftovers.map { Leftover(name: $0) }
    }
}

/// Something whose leftovers have numbers, so that a new one is not taken for one that was there and has ended meanwhile.
package protocol NumberedLeftovers: LeakWatched {
    /// What is held or running now.
    var numberedLeftovers: [Leftover] { get }
}

extension StubServer: NumberedLeftovers {
    package var numberedLeftovers: [Leftover] { running.leftovers }
}

extension Cassette: NumberedLeftovers {
    package var numberedLeftovers: [Leftover] { running.leftovers }
}

extension MockServer: NumberedLeftovers {
    package var numberedLeftovers: [Leftover] { hub.running.leftovers }
}

extension ScriptedWebSocket: NumberedLeftovers {
    package var numberedLeftovers: [Leftover] {
        let sockets = peers.enumerated().filter { $0.element.isOpen }.map { index, peer in
            Leftover(id: index, name: "WebSocket \(index + 1): \(Leftover.name(of: peer.request.head))")
        }
        return sockets + http.numberedLeftovers
    }
}
