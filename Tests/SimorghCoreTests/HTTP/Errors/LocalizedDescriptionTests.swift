// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCompatibility
import SimorghCore
import SimorghDownloads
import SimorghRealtime
import Testing

/// Neither this file nor `import Simorgh` imports Foundation.
@Suite(.timeLimit(.minutes(5)))
struct LocalizedDescriptionTests {
    struct Plain: Error, CustomStringConvertible { var description: String { "plain words" } }

    static let errors: [any Error] = [
        DownloadError.tooSlow, DownloadError.queueFull(limit: 3), WebSocketError(.closed, message: "it is over"),
        SubscriptionError(.refused, message: "no such channel"), InvalidRequestError(.invalidURL, message: "no URL"),
        NetworkError.unknown,
        WebSocketRouterError.invalidScheme("ftp"), StreamingError.lineTooLong(limitBytes: 7), StatusCode(404), Plain(),
    ]

    @Test("localizedDescription equals the description without Foundation", arguments: errors)
    func withoutFoundation(error: any Error) { #expect(error.localizedDescription == "\(error)") }

    @Test(
        "localizedDescription of this library's errors equals the description with Foundation",
        arguments: errors.filter { !($0 is Plain) })
    func withFoundation(error: any Error) { #expect(FoundationWords.description(of: error) == "\(error)") }
}
