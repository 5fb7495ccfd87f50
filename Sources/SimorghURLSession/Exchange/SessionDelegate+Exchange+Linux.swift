// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

#if canImport(FoundationNetworking)
extension URLSessionConfiguration {
    /// Does nothing: there is one implementation of loading.
    func useCurrentLoadingMode() {}

    /// Does nothing: tasks cannot wait for the network.
    func waitForConnectivity() {}
}

extension URLRequest {
    /// Does nothing: requests have no such options, and `NetworkAccess` is checked before.
    mutating func apply(_ options: TransportOptions) {}

    /// Does nothing: requests have no such rules.
    mutating func limitAccess(expensive: Bool, constrained: Bool) {}
}

extension URLError {
    /// The number of the reason for which there is no network; never known.
    var unavailableReason: Int? { nil }
}
#endif
