// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The platforms that differ in the WebSockets of their sessions.
package enum SessionWebSocketPlatform: Sendable, Hashable, CaseIterable {
    /// iOS, macOS, tvOS and visionOS.
    case apple
    case watchOS
    /// The platforms of FoundationNetworking.
    case linux

    /// The platform of this build.
    #if os(watchOS)
    package static let current = watchOS
    #elseif canImport(FoundationNetworking)
    package static let current = linux
    #else
    package static let current = apple
    #endif

    /// Checks that an app may open a WebSocket over a session.
    ///
    /// - Parameter allowsLowLevelNetworking: True if the app has said that it streams audio or is in a call.
    /// - Throws: `TransportError`, whose cause is an ``UnsupportedByURLSessionError`` with the way out.
    package func check(allowsLowLevelNetworking: Bool) throws(TransportError) {
        let reason: String
        switch self {
        case .apple: return
        case .watchOS:
            guard !allowsLowLevelNetworking else { return }
            reason =
                "watchOS opens WebSockets only while an app streams audio or is in a call (Apple's TN3135): "
                + "such an app sets allowsLowLevelNetworking of URLSessionTransport, and any other uses HTTP"
        case .linux:
            reason =
                "libcurl is built without WebSockets: give the client the engine, which APIClient() of import Simorgh "
                + "uses, or NIOTransport.shared of import SimorghNIO"
        }
        let cause = UnsupportedByURLSessionError(option: "webSocket", reason: reason)
        throw TransportError(
            .unsupportedURL, phase: .total, message: cause.description, requestMayHaveBeenSent: false,
            underlying: cause)
    }
}
