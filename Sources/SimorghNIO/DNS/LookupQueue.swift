// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
package import SimorghCore

/// The queue of DNS lookups: decides which names are looked up now and which wait, and deduplicates equal names.
///
/// Each address family has its own limits, so that a name server that is silent for one family does not block the
/// other. A slow lookup frees its slot for the next one, so that a few unanswered names do not block the others.
package struct LookupQueue<Waiter: Sendable>: Sendable {
    package struct Question: Hashable, Sendable {
        package let host: String
        package let port: Int
        package let family: AddressFamily

        package init(host: String, port: Int, family: AddressFamily) {
            self.host = host
            self.port = port
            self.family = family
        }
    }

    /// The identifier of a waiter.
    package struct Ticket: Hashable, Sendable {
        let question: Question
        let number: UInt64
    }

    /// The outcome of adding a waiter.
    package enum AddResult: Sendable {
        /// The lookup starts now; its end is reported with ``LookupQueue/lookupEnded(_:)``.
        case start(Ticket)
        /// The same lookup is already running or queued, or all slots are taken.
        case wait(Ticket)
        /// Too many waiters or queued lookups.
        case isFull
    }

    private struct Lookup: Sendable {
        var isRunning: Bool
        /// True if the lookup is running, slow, and has freed its slot.
        var isSlow = false
        var waiters: [UInt64: Waiter] = [:]
    }

    /// The lookups of one family.
    private struct FamilyLookups: Sendable {
        var running = 0
        /// The number of running lookups that are slow and have freed their slots.
        var slow = 0
        var queue = CircularBuffer<Question>()
    }

    private let maximumConcurrent: Int
    private let maximumSlow: Int
    private let maximumQueued: Int
    private let maximumWaiters: Int
    private var questions: [Question: Lookup] = [:]
    private var families: [AddressFamily: FamilyLookups] = [:]
    private var nextNumber: UInt64 = 0
    /// The number of waiters.
    package private(set) var waiting = 0

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - maximumConcurrent: The maximum number of concurrent lookups for each family.
    ///   - maximumSlow: The maximum number of further concurrent lookups for each family that are slow.
    ///   - maximumQueued: The maximum number of queued lookups for each family.
    ///   - maximumWaiters: The maximum number of waiters, including those for the same name.
    package init(maximumConcurrent: Int, maximumSlow: Int = 0, maximumQueued: Int, maximumWaiters: Int) {
        self.maximumConcurrent = max(1, maximumConcurrent)
        self.maximumSlow = max(0, maximumSlow)
        self.maximumQueued = max(0, maximumQueued)
        self.maximumWaiters = max(1, maximumWaiters)
    }

    /// Returns the number of slow lookups of a family, which have freed their slots; for tests.
    package func slow(_ family: AddressFamily) -> Int { families[family]?.slow ?? 0 }

    /// Returns the number of running lookups of a family, except slow ones; for tests.
    package func running(_ family: AddressFamily) -> Int { families[family]?.running ?? 0 }

    /// Returns the number of queued lookups of a family; for tests.
    package func queued(_ family: AddressFamily) -> Int { families[family]?.queue.count ?? 0 }

    /// Adds a waiter for a lookup.
    package mutating func add(_ question: Question, waiter: Waiter) -> AddResult {
        guard waiting < maximumWaiters else { return .isFull }
        var isNext = false
        if questions[question] == nil {
            var lookups = families[question.family] ?? FamilyLookups()
            isNext = lookups.running < maximumConcurrent
            guard isNext || lookups.queue.count < maximumQueued else { return .isFull }
            if isNext { lookups.running += 1 } else { lookups.queue.append(question) }
            families[question.family] = lookups
            questions[question] = Lookup(isRunning: isNext)
        }
        nextNumber += 1
        waiting += 1
        questions[question]?.waiters[nextNumber] = waiter
        let ticket = Ticket(question: question, number: nextNumber)
        return isNext ? .start(ticket) : .wait(ticket)
    }

    /// Records the end of a lookup.
    ///
    /// - Parameter question: The lookup.
    /// - Returns: The waiters to notify, and the lookup to start next.
    package mutating func lookupEnded(_ question: Question) -> (waiters: [Waiter], next: Question?) {
        guard let ended = questions[question], ended.isRunning else { return ([], nil) }
        questions[question] = nil
        waiting -= ended.waiters.count
        var next: Question?
        if ended.isSlow {
            families[question.family]?.slow -= 1
        } else {
            next = releaseSlot(of: question.family)
        }
        return (Array(ended.waiters.values), next)
    }

    /// Records that a lookup is slow.
    ///
    /// - Parameter question: The lookup.
    /// - Returns: True if it keeps its slot, because too many lookups are slow already; and the lookup to start next.
    package mutating func becameSlow(_ question: Question) -> (keepsSlot: Bool, next: Question?) {
        // The lookup may have ended at this moment.
        guard let lookup = questions[question], lookup.isRunning, !lookup.isSlow else { return (false, nil) }
        guard slow(question.family) < maximumSlow else { return (true, nil) }
        questions[question]?.isSlow = true
        families[question.family]?.slow += 1
        return (false, releaseSlot(of: question.family))
    }

    /// Passes a freed slot to the next queued lookup of a family.
    private mutating func releaseSlot(of family: AddressFamily) -> Question? {
        var lookups = families[family] ?? FamilyLookups()
        let next = lookups.queue.popFirst()
        if let next { questions[next]?.isRunning = true } else { lookups.running -= 1 }
        families[family] = lookups
        return next
    }

    /// Removes a waiter.
    ///
    /// A running lookup continues and serves later waiters for the same name.
    ///
    /// - Returns: The waiter; `nil` if it was answered already.
    package mutating func leave(_ ticket: Ticket) -> Waiter? {
        let question = ticket.question
        guard let waiter = questions[question]?.waiters.removeValue(forKey: ticket.number) else { return nil }
        waiting -= 1
        if let left = questions[question], left.waiters.isEmpty, !left.isRunning {
            questions[question] = nil
            families[question.family]?.queue.removeAll { $0 == question }
        }
        return waiter
    }
}
