// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

/// The recordings in `Recorded/Apple`, written by `simorgh network --record`; to add one, set `expected` in it.
@Suite(.timeLimit(.minutes(5)))
struct RecordedPathTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../Recorded/Apple")

    private static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".json") }
        .sorted()

    @Test("There are recordings")
    func exist() { #expect(Self.names.count >= 7) }

    @Test("The status of each recording is the expected one", arguments: names)
    func replays(name: String) throws {
        let recording = try NetworkRecording(json: Data(contentsOf: Self.folder.appending(path: name)))
        let status = recording.status
        let words = [
            status.summary, status.connectsOnDemand ? "on demand" : nil, status.explanation.map { "(\($0))" },
        ]
        #expect(words.compactMap { $0 }.joined(separator: " ") == recording.expected)
        // The text that is written again is the same.
        #expect(try NetworkRecording(json: Data(recording.json().utf8)) == recording)
    }

    @Test("A recording of Linux contains the kernel's snapshot, and yields the same status")
    func linux() async throws {
        for network in RecordedNetworks.all {
            let recording = NetworkRecording(linux: network.snapshot)
            let read = try NetworkRecording(json: Data(recording.json().utf8))
            #expect(read.linux == network.snapshot)
            #expect(read.status == network.snapshot.status)
        }
    }

    @Test("A platform without a source has an empty recording and an unavailable status")
    func unsupported() async throws {
        let monitor = NetworkMonitor(UnavailableNetworkSource())
        let recording = try NetworkRecording(json: Data(try await monitor.recording().utf8))
        #expect(recording == NetworkRecording())
        #expect(recording.status.source == .unavailable)
    }
}
