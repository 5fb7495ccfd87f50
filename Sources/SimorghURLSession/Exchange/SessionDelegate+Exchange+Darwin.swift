// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

#if canImport(Darwin)
extension SessionDelegate {
    // The session asks for the first stream, and again after a redirect or a challenge that it handles itself.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(exchange(of: task)?.newBodyStream().flatMap { BoundBodyStream($0).input })
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        exchange(of: task)?.waitsForConnectivity()
    }
}

extension URLSession {
    /// Creates a task that sends a body in chunks.
    func streamedUploadTask(with request: URLRequest) -> URLSessionTask {
        uploadTask(withStreamedRequest: request)
    }
}

extension URLSessionConfiguration {
    /// Uses the current implementation of loading where the system has it.
    func useCurrentLoadingMode() {
        if #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) {
            usesClassicLoadingMode = false
        }
    }

    /// Makes tasks wait for the network instead of failing without one.
    func waitForConnectivity() { waitsForConnectivity = true }
}

extension URLRequest {
    /// Sets the options that a request carries to the session.
    mutating func take(_ options: TransportOptions) {
        allowsCellularAccess = options.access.allowsCellular
        allowsExpensiveNetworkAccess = options.access.allowsExpensive
        allowsConstrainedNetworkAccess = options.access.allowsConstrained
        assumesHTTP3Capable = options.httpVersion == .http3
    }
}

extension URLError {
    /// The rule of `NetworkAccess` that made a task fail.
    var accessRule: NetworkAccessError.Rule? {
        switch networkUnavailableReason {
        case .cellular: .cellular
        case .expensive: .expensive
        case .constrained: .constrained
        case nil: nil
        @unknown default: nil
        }
    }
}
#endif
