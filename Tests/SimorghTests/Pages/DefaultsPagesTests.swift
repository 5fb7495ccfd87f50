// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import Testing

/// Compares the other defaults on the documentation pages with the code; connections have their own suite.
@Suite("Documented defaults", .timeLimit(.minutes(5)))
struct DefaultsPagesTests {
    private typealias Text = ConnectionsPageTests

    private static func days(_ duration: Duration) -> String { "\(duration.components.seconds / 86_400) days" }

    private static func minutes(_ duration: Duration?) -> String {
        duration.map { "\($0.components.seconds / 60)" } ?? "no"
    }

    private static func word(_ isOn: Bool) -> String { isOn ? "on" : "off" }

    private static var calls: [String] {
        let client = APIClient.Configuration()
        let (timeouts, limits) = (client.timeouts, client.limits)
        return [
            "| waiting for a connection | \(Text.seconds(timeouts.queue)) |",
            "| connecting | \(Text.seconds(timeouts.connect)) |",
            "| TLS handshake | \(Text.seconds(timeouts.tls)) |",
            "| waiting for the head of the response | \(Text.seconds(timeouts.head)) |",
            "| between two pieces of a body | \(Text.seconds(timeouts.idle)) |",
            "| the whole of a collected call | \(minutes(timeouts.total)) min |",
            "| collected body | \(Text.bytes(client.maximumCollectedBytes)) |",
            "| body kept in an error | \(Text.bytes(client.maximumErrorBodyBytes)) |",
            "| head of a response | \(Text.bytes(limits.headBytes)), \(limits.headerFields) fields |",
            "| decompression | \(limits.decompressionRatio) : 1 past \(Text.bytes(limits.decompressionFloor)) |",
            "| redirects | \(client.redirects.limit), none from `https` to `http` |",
            "| cookies | \(word(client.cookies != nil)) |",
        ]
    }

    private static var caches: [String] {
        let (http, app) = (CacheConfiguration(), AppCacheConfiguration())
        return [
            "``CacheConfiguration/memoryCapacity`` | \(Text.bytes(http.memoryCapacity)), ",
            "``CacheConfiguration/diskCapacity`` | \(Text.bytes(http.diskCapacity)), ",
            "``CacheConfiguration/synchronizes`` | \(word(http.synchronizes)) |",
            "``CacheConfiguration/keepsForAnyAge`` | \(word(http.storesForAnyAge)) |",
            "``AppCacheConfiguration/memoryCapacity`` | \(Text.bytes(app.memoryCapacity)), ",
            "``AppCacheConfiguration/diskCapacity`` | \(Text.bytes(app.diskCapacity)), ",
            "``AppCacheConfiguration/sweepsAtStart`` | \(word(app.sweepsAtStart)) |",
            "``AppCacheConfiguration/timeToLive`` | \(days(app.timeToLive)) |",
            "``AppCacheConfiguration/maximumAge`` | \(days(app.maximumAge)), ",
            "``AppCacheConfiguration/keepsNoStore`` | \(word(app.keepsNoStore)) |",
        ]
    }

    private static var feeds: [String] {
        let options = EventSourceOptions()
        return [
            "``EventSourceOptions/reconnectDelay`` | \(Text.seconds(options.reconnectDelay)), ",
            "``EventSourceOptions/maximumReconnectDelay`` | \(Text.seconds(options.maximumReconnectDelay)) for ",
            "``EventSourceOptions/maximumReconnects`` | \(options.maximumReconnects) attempts ",
            "``EventSourceOptions/maximumEventBytes`` | \(Text.bytes(options.maximumEventBytes)) |",
        ]
    }

    private static var others: [(page: String, says: [String])] {
        let (retry, offline) = (RetryPolicy(), OfflineQueue())
        let statuses = retry.retryableStatusCodes.sorted().map { "\($0)" }.joined(separator: ", ")
        let repeats = APIClient.Configuration().maximumStopTheLineRepeats
        return [
            (
                "RetryingSafely",
                ["the statuses \(statuses);", "never more than \(retry.maximumDelay.components.seconds) seconds"]
            ),
            ("SigningIn", ["One request is sent again \(repeats) times at most"]),
            (
                "KnowingTheNetwork",
                ["At most \(offline.maximumWaiting) wait, for \(minutes(offline.maximumWait)) minutes at most"]
            ),
        ]
    }

    @Test("Each documented default matches the code")
    func said() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Simorgh/Simorgh.docc")
        let all =
            [("MakingCalls", Self.calls), ("Caching", Self.caches), ("Streaming", Self.feeds)]
            + Self.others.map { ($0.page, $0.says) }
        for (page, says) in all {
            let text = try String(contentsOf: folder.appending(path: "\(page).md"), encoding: .utf8)
                .split(whereSeparator: \.isNewline).joined(separator: " ")
                // The module in a link has no effect on the default.
                .replacing("``/SimorghCore/", with: "``").replacing("``/SimorghCompatibility/", with: "``")
            for words in says { #expect(text.contains(words), "\(page): \(words)") }
        }
    }
}
