// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import Testing

/// Compares the defaults in the sentences of the pages with the code; ConnectionsPageTests compares the tables.
@Suite("Defaults in sentences", .timeLimit(.minutes(5)))
struct DefaultsPagesTests {
    private static func minutes(_ duration: Duration) -> Int64 { duration.components.seconds / 60 }

    private static var sentences: [(page: String, words: [String])] {
        let (retry, offline) = (RetryPolicy(), OfflineQueue())
        let statuses = retry.retryableStatusCodes.sorted().map { "\($0)" }.joined(separator: ", ")
        let repeats = APIClient.Configuration().maximumStopTheLineRepeats
        return [
            (
                "Reliable/RetryingSafely",
                ["the statuses \(statuses);", "never longer than \(retry.maximumDelay.components.seconds) seconds"]
            ),
            ("Secure/SigningIn", ["repeated at most \(repeats) times"]),
            (
                "Operation/KnowingTheNetwork",
                [
                    "At most \(offline.maximumWaiting) requests wait",
                    "each for at most \(minutes(offline.maximumWait)) minutes",
                ]
            ),
        ]
    }

    @Test("Each sentence has the value of the code")
    func said() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Simorgh/Simorgh.docc")
        for (page, sentences) in Self.sentences {
            let text = try String(contentsOf: folder.appending(path: "\(page).md"), encoding: .utf8)
                .split(whereSeparator: \.isNewline).joined(separator: " ")
            for words in sentences { #expect(text.contains(words), "\(page): \(words)") }
        }
    }
}
