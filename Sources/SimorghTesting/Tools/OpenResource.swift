// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore

/// A resource that is held or running.
package struct OpenResource: Hashable, Sendable {
    /// The number that distinguishes it from others of the same name; `nil` if only names are known.
    package let id: Int?
    /// The description.
    package let name: String
    /// Retains the object, so that its identifier is not reused meanwhile.
    private let holder: (any RequestMember)?

    package init(id: Int? = nil, name: String) {
        self.id = id
        self.name = name
        holder = nil
    }

    /// Creates a leftover for an object that carries a request.
    package init(_ carrier: any RequestMember) {
        let request = carrier.carried
        id = Int(bitPattern: ObjectIdentifier(carrier))
        let call = request.options.call.map { " of call \($0.id.rawValue)" } ?? ""
        name = "request\(call): \(Self.name(of: request.head))"
        holder = carrier
    }

    /// Returns the name of a request: its method, and its URL without the query, which may hold a key.
    package static func name(of head: HTTPRequest) -> String {
        "\(head.method.rawValue) \(RedactedURL.withoutQuery(head.urlString))"
    }

    package static func == (left: OpenResource, right: OpenResource) -> Bool {
        left.id == right.id && left.name == right.name
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(name)
    }

    /// Returns all leftovers of a watched object.
    static func all(of watched: any LeakWatched) -> [OpenResource] {
        if let numbered = watched as? any NumberedOpenResources { return numbered.numberedLeftovers }
        return watched.leftovers.map { OpenResource(name: $0) }
    }
}

/// An object whose leftovers have numbers, so that a new one is not mistaken for an earlier one that has ended.
package protocol NumberedOpenResources: LeakWatched {
    /// The resources that are held or running now.
    var numberedLeftovers: [OpenResource] { get }
}

extension StubServer: NumberedOpenResources {
    package var numberedLeftovers: [OpenResource] { running.leftovers }
}

extension InProcessTransport: NumberedOpenResources {
    package var numberedLeftovers: [OpenResource] { running.leftovers }
}

extension Cassette: NumberedOpenResources {
    package var numberedLeftovers: [OpenResource] { running.leftovers }
}

extension MockServer: NumberedOpenResources {
    package var numberedLeftovers: [OpenResource] { state.running.leftovers }
}

extension ScriptedWebSocket: NumberedOpenResources {
    package var numberedLeftovers: [OpenResource] {
        let sockets = peers.enumerated().filter { $0.element.isOpen }.map { index, peer in
            OpenResource(id: index, name: "WebSocket \(index + 1): \(OpenResource.name(of: peer.request.head))")
        }
        return sockets + http.numberedLeftovers
    }
}
