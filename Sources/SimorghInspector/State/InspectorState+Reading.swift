// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

/// The changes since a version, for a page that has the rest already.
package struct InspectorChanges: Encodable, Sendable {
    package struct Download: Encodable, Sendable {
        let id: String
        let manager: String
        let name: String
        let url: String
        let state: String
        let bytes: Int64
        let total: Int64?
        let speed: Double
        let remainingSeconds: Double?
        let connections: Int
        let missing: [[Int64]]
        let failure: String?

        init(_ download: InspectedDownload) {
            id = download.id.uuidString
            manager = download.manager
            name = download.name
            url = download.url
            state = download.state
            bytes = download.bytes
            total = download.total
            speed = download.speed.rounded()
            remainingSeconds = download.remainingSeconds?.rounded()
            connections = download.connections
            missing = download.missing.map { [$0.lowerBound, $0.upperBound] }
            failure = download.failure
        }
    }

    /// The version that the page has after these changes.
    package let version: Int
    /// The number of the oldest call that is kept: the page drops older ones.
    package let first: Int
    package let total: Int
    package let isPaused: Bool
    package let calls: [CallSummary]
    /// All downloads; `nil` if they did not change.
    package let downloads: [Download]?
}

extension InspectorState {
    /// The largest number of calls in one message to a page.
    private static let maximumChanges = 200

    /// Returns the changes after a version, at most 200 calls, the earliest changes first; `nil` if nothing changed.
    package func changes(since last: Int) -> InspectorChanges? {
        guard version > last else { return nil }
        // Performance: observed calls wait while the state is read, so only the versions are sorted, not the calls.
        var changed: [(version: Int, index: Int)] = []
        for index in calls.indices {
            let version = calls[index].version
            if version > last { changed.append((version, index)) }
        }
        changed.sort { $0.version < $1.version }
        let page = changed.prefix(Self.maximumChanges)
        let isPart = page.count < changed.count
        return InspectorChanges(
            version: isPart ? page.last?.version ?? version : version, first: firstNumber, total: total,
            isPaused: isPaused, calls: page.map { CallSummary(calls[$0.index]) },
            downloads: downloadsVersion > last ? downloads.map { InspectorChanges.Download($0) } : nil)
    }

    /// Returns the numbers of the calls that contain each word in their URL, header fields, bodies, messages or failure.
    ///
    /// Case is ignored. Only redacted text is searched, so that a search does not reveal a secret. It reads all bodies,
    /// so it is called on a copy of the state.
    package func numbers(containing text: String) -> [Int] {
        let words = text.lowercased().split(separator: " ").map(String.init)
        return calls.filter { $0.contains(words) }.map(\.number)
    }

    /// Returns the attempts of calls as a HAR file.
    ///
    /// - Parameter numbers: The numbers of the calls; `nil` for all.
    /// - Returns: The file.
    package func document(of numbers: Set<Int>? = nil) -> HARDocument {
        let chosen = calls.filter { numbers?.contains($0.number) ?? true }
        let dropped = firstNumber - 1
        return HARDocument(
            entries: chosen.flatMap { $0.attempts.map(\.exchange.entry) },
            comment: dropped > 0 && numbers == nil ? "\(dropped) older calls were dropped" : nil)
    }
}

extension InspectedCall {
    /// Returns true if each of some lower-case words occurs in the redacted parts of the call.
    fileprivate func contains(_ words: [String]) -> Bool {
        var missing = words
        func look(in text: String?) {
            guard let text, !missing.isEmpty else { return }
            let lowered = text.lowercased()
            missing.removeAll { lowered.contains($0) }
        }
        for text in [url, failure, method, client] { look(in: text) }
        for message in messages where !missing.isEmpty { look(in: message.text) }
        for attempt in attempts where !missing.isEmpty {
            let entry = attempt.exchange.entry
            for record in entry.request.headers + entry.response.headers { look(in: "\(record.name): \(record.value)") }
            look(in: entry.request.postData?.text)
            look(in: entry.response.content.text)
        }
        return missing.isEmpty
    }

    /// The request as it was sent last, redacted; `nil` if it cannot be described.
    package func redactedRequest(showing rules: RedactionRules) -> TransportRequest? {
        if let entry = attempts.last?.exchange.entry { return TransportRequest(described: entry.request) }
        guard case .request(let request) = replay, let parsed = try? BaseURL.absolute(url) else { return nil }
        let redactor = Redactor(rules, request: request)
        var copy = TransportRequest(head: request.head)
        copy.head.authority = parsed.base.authority
        copy.head.path = TransportRequest.target(of: url)
        copy.head.headerFields = redactor.shown(request.head.headerFields)
        if let bytes = request.body.bytes, !bytes.isEmpty {
            let type = request.head.headerFields[.contentType] ?? request.body.contentType
            if case .text(let text, _, more: 0) = redactor.body(bytes, type: type, upTo: 64 * 1024) {
                copy.body = .bytes(Data(text.utf8), contentType: request.body.contentType)
            } else {
                copy.body = .missing(contentType: request.body.contentType)
            }
        }
        return copy
    }
}
