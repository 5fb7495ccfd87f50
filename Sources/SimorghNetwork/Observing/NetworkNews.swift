// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What was told last of the network, and so what is news; nothing is, once it is over.
package struct NetworkNews: Sendable {
    package private(set) var isStopped = false
    private var status: NetworkStatus?

    package init() {}

    package var isConnected: Bool { status?.isConnected == true }

    package mutating func stop() { isStopped = true }

    /// Whether this is to be told, which it then counts as.
    package mutating func isNews(_ status: NetworkStatus) -> Bool {
        guard !isStopped, self.status != status else { return false }
        self.status = status
        return true
    }

    /// Whether a picture shows for certain that the way is lost, so that nothing is to be waited for.
    ///
    /// It does where no packet leaves any more, or where what was told as running runs no more and is still the way. A way
    /// through something that has just come up may be a matter of milliseconds: its route is there before it runs.
    ///
    /// - Parameter picture: The ways, and at least the links that they lead through.
    /// - Returns: Whether it does.
    package func isCertainLoss(_ picture: NetworkPicture) -> Bool {
        guard let status, status.isConnected else { return false }
        return [picture.ipv4, picture.ipv6].compactMap { $0 }.allSatisfy { way in
            guard way.type == 1, let index = way.outgoing.first,
                let link = picture.links.first(where: { $0.index == index })
            else { return false }
            return !link.isRunning && status.interfaces.contains { $0.index == Int(index) && $0.isRunning }
        }
    }
}
