// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// The calls and downloads that an inspector keeps: a value, without a clock and without a socket.
///
/// Each change is given the time since the start of the inspector. A call that was dropped is ignored from then on.
package struct InspectorState: Sendable {
    /// The bounds of the state.
    package struct Limits: Sendable, Hashable {
        /// The largest number of calls, and of messages of a call: a page reads all calls while the state is locked.
        private static let maximumCount = 100_000

        package var calls: Int
        package var bytes: Int
        package var messages: Int
        package var downloads = 200
        /// The part of each body of a file, in bytes.
        package var body: Int

        /// Creates the limits of a configuration, without impossible values.
        package init(_ configuration: Inspector.Configuration = Inspector.Configuration()) {
            calls = min(max(1, configuration.maximumCalls), Self.maximumCount)
            bytes = max(0, configuration.maximumBytes)
            messages = min(max(1, configuration.maximumMessages), Self.maximumCount)
            body = min(max(0, configuration.maximumBodyBytes), 1024 * 1024 * 1024)
        }
    }

    package let limits: Limits
    /// The calls, the oldest first; their numbers are consecutive.
    package private(set) var calls = Deque<InspectedCall>()
    /// The number of calls so far.
    package private(set) var total = 0
    /// A number that increases with each change.
    package private(set) var version = 0
    /// The approximate size of the calls in memory, in bytes.
    package private(set) var bytes = 0
    /// True if new calls are not recorded.
    package private(set) var isPaused = false
    /// The downloads in the order in which they were first seen, the oldest first.
    package private(set) var downloads: [InspectedDownload] = []
    /// The version in which the downloads changed last.
    package private(set) var downloadsVersion = 0
    private var numbers: [CallContext.ID: Int] = [:]
    /// The exchanges to release after the lock of the state was released.
    private var discarded: [any InspectedExchange] = []

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// The number of the oldest call.
    package var firstNumber: Int { total - calls.count + 1 }

    /// Returns the call with a number; `nil` if it was dropped.
    package func call(_ number: Int) -> InspectedCall? {
        let index = number - firstNumber
        return calls.indices.contains(index) ? calls[index] : nil
    }

    /// Returns the number of a call of this process; `nil` if it is not kept.
    package func number(of id: CallContext.ID) -> Int? { numbers[id] }

    /// Removes and returns the exchanges whose bodies are no longer needed.
    package mutating func takeDiscarded() -> [any InspectedExchange] {
        defer { discarded = [] }
        return discarded
    }

    // MARK: Calls

    /// A call begins; ignored while recording is paused.
    ///
    /// - Parameters:
    ///   - id: The id of the call; `nil` if it was read from a file.
    ///   - client: The name of the client.
    ///   - method: The method; empty if the request could not be described.
    ///   - url: The redacted URL.
    ///   - start: The time since the start of the inspector.
    ///   - date: The date.
    ///   - repeats: The call that this one repeats.
    ///   - replay: The request, to send it again.
    ///   - observer: The observer that records the call.
    package mutating func begin(
        _ id: CallContext.ID?, client: String, method: String, url: String, at start: Duration, date: Date,
        repeating repeats: Int? = nil, replay: InspectedCall.Replay, observer: ObjectIdentifier? = nil
    ) {
        guard !isPaused, id.map({ numbers[$0] == nil }) ?? true else { return }
        total += 1
        version += 1
        var call = InspectedCall(
            number: total, id: id, client: client, start: start, date: date, method: method, url: url,
            repeats: repeats, replay: replay, observer: observer)
        call.version = version
        calls.append(call)
        if let id { numbers[id] = total }
        bytes += call.cost
        trim()
    }

    /// Counts calls that are not kept, before the first one.
    package mutating func omit(_ count: Int) { total += count }

    /// Changes a call, if it is kept.
    package mutating func update(_ id: CallContext.ID, _ change: (inout InspectedCall) -> Void) {
        guard let number = numbers[id] else { return }
        update(number: number, change)
    }

    /// Changes the call with a number, if it is kept.
    package mutating func update(number: Int, _ change: (inout InspectedCall) -> Void) {
        let index = number - firstNumber
        guard calls.indices.contains(index) else { return }
        version += 1
        let before = calls[index].cost
        change(&calls[index])
        calls[index].version = version
        bytes += calls[index].cost - before
        trim()
    }

    /// Adds an attempt that begins.
    ///
    /// - Returns: False if the call is not kept.
    package mutating func append(_ attempt: InspectedAttempt, to id: CallContext.ID, cost: Int) -> Bool {
        guard numbers[id] != nil else { return false }
        var old: (any InspectedExchange)?
        update(id) { old = $0.append(attempt, cost: cost) }
        if let old { discarded.append(old) }
        return true
    }

    private mutating func trim() {
        while calls.count > max(1, limits.calls) || (bytes > limits.bytes && calls.count > 1) { dropFirst() }
    }

    private mutating func dropFirst() {
        guard let call = calls.popFirst() else { return }
        bytes -= call.cost
        if let id = call.id { numbers[id] = nil }
        discarded += call.attempts.map(\.exchange)
    }

    // MARK: Controls

    /// Pauses or resumes the recording of new calls.
    package mutating func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        self.isPaused = isPaused
        version += 1
    }

    /// Removes all calls; their numbers are not used again.
    package mutating func removeAll() {
        while !calls.isEmpty { dropFirst() }
        version += 1
    }

    // MARK: Downloads

    /// Adds a download, or changes it.
    package mutating func update(_ download: InspectedDownload) {
        if let index = downloads.firstIndex(where: { $0.id == download.id }) {
            guard downloads[index] != download else { return }
            downloads[index] = download
        } else {
            downloads.append(download)
            if downloads.count > limits.downloads { downloads.removeFirst() }
        }
        version += 1
        downloadsVersion = version
    }

    /// Changes a download, if it is kept.
    package mutating func updateDownload(_ id: UUID, _ change: (inout InspectedDownload) -> Void) {
        guard var download = downloads.first(where: { $0.id == id }) else { return }
        change(&download)
        update(download)
    }

    /// Removes a download.
    package mutating func removeDownload(_ id: UUID) {
        downloads.removeAll { $0.id == id }
        version += 1
        downloadsVersion = version
    }
}
