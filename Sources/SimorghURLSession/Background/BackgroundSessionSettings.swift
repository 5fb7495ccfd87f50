// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghDownloads

/// The settings of a background session, except for its TLS options; the first user of an identifier in a process
/// determines them.
package struct BackgroundSessionSettings: Sendable, Hashable {
    package var identifier: String
    package var sharedContainerIdentifier: String?
    package var connectionsPerHost: Int?
    /// The longest time for one transfer, in seconds.
    package var transferLimit = 7 * 86_400.0

    package init(identifier: String) { self.identifier = identifier }

    /// Throws an error for an identifier for which the system ends the program.
    package func validate() throws(TransportError) {
        guard identifier.isEmpty else { return }
        throw TransportError(
            .unknown, phase: .total, message: "the identifier of the background session is empty",
            requestMayHaveBeenSent: false)
    }

    init(identifier: String, config: DownloadManagerConfig) {
        self.identifier = identifier
        sharedContainerIdentifier = config.sharedContainerIdentifier
        connectionsPerHost = max(1, config.maxConcurrentPerHost ?? config.maxConcurrentDownloads)
        transferLimit = max(1, config.retryPolicy.backgroundTransferLimit)
    }
}
