// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization
import TestSupport

/// Reads a subscription, and records each update as text.
final class SubscriptionListener: Sendable {
    private let words = Mutex<[String]>([])
    private let failure = Mutex<SubscriptionError?>(nil)
    private let task = Mutex<Task<Void, Never>?>(nil)

    init<Event: Sendable>(
        _ events: SubscriptionEvents<Event>, _ read: @escaping @Sendable (Event) -> String = { "\($0)" }
    ) {
        let updates = events.updates
        let task = Task { [weak self] in
            do throws(SubscriptionError) {
                for try await update in TypedElements(updates) { self?.note(Self.word(update, read)) }
                self?.note("end")
            } catch {
                self?.failure.withLock { $0 = error }
                self?.note("failed \(error.code)")
            }
        }
        self.task.withLock { $0 = task }
    }

    deinit { task.withLock { $0 }?.cancel() }

    /// The error with which the subscription failed.
    var error: SubscriptionError? { failure.withLock { $0 } }

    /// All records so far.
    var all: [String] { words.withLock { $0 } }

    /// Waits for the record with an index.
    func word(_ index: Int) async throws -> String {
        try await eventually { all.count > index }
        return all[index]
    }

    func cancel() { task.withLock { $0 }?.cancel() }

    private func note(_ word: String) { words.withLock { $0.append(word) } }

    private static func word<Event>(_ update: SubscriptionUpdate<Event>, _ read: (Event) -> String) -> String {
        switch update {
        case .subscribed: "subscribed"
        case .resumed: "resumed"
        case .interrupted(let error, let wait):
            "interrupted \(error.code)\(wait >= .seconds(60) ? " for \(Int(wait / .seconds(1))) s" : "")"
        case .event(let event): read(event)
        case .missed(let count): "missed \(count)"
        }
    }
}

extension SubscriptionListener {
    /// Records the payloads of the server as text.
    convenience init(payloads events: SubscriptionEvents<SubscriptionPayload>) {
        self.init(events) { String(decoding: $0.message.bytes, as: UTF8.self) }
    }
}
