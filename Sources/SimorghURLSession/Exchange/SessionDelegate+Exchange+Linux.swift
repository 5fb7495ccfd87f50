// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

#if canImport(FoundationNetworking)
extension URLSession {
    /// Creates a task that sends a body in chunks; not used here, where bodies are collected first.
    func streamedUploadTask(with request: URLRequest) -> URLSessionTask { dataTask(with: request) }
}

extension URLSessionConfiguration {
    /// Does nothing: there is one implementation of loading.
    func useCurrentLoadingMode() {}

    /// Does nothing: tasks cannot wait for the network.
    func waitForConnectivity() {}
}

extension URLRequest {
    /// Does nothing: requests have no such options, and `NetworkAccess` is checked before.
    mutating func take(_ options: TransportOptions) {}
}

extension URLError {
    /// The rule of `NetworkAccess` that made a task fail; never known.
    var accessRule: NetworkAccessError.Rule? { nil }
}
#endif
