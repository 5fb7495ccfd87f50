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
    package enum Answer: Sendable {
        /// The lookup starts now; its end is reported with ``LookupQueue/answered(_:)``.
        case ask(Ticket)
        /// The same lookup is already running or queued, or all slots are taken.
        case wait(Ticket)
        /// Too many waiters or queued lookups.
        case isFull
    }

    private struct Asked: Sendable {
        var isAsked: Bool
        /// True if the lookup is running, slow, and has freed its slot.
        var isLate = false
        var waiters: [UInt64: Waiter] = [:]
    }

    /// The lookups of one family.
    private struct Lane: Sendable {
        var asked = 0
        /// The number of running lookups that are slow and have freed their slots.
        var late = 0
        var line = CircularBuffer<Question>()
    }

    private let most: Int
    private let maximumSlow: Int
    private let maximumQueued: Int
    private let maximumWaiters: Int
    private var questions: [Question: Asked] = [:]
    private var lanes: [AddressFamily: Lane] = [:]
    private var nextNumber: UInt64 = 0
    /// The number of waiters.
    package private(set) var waiting = 0

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - most: The maximum number of concurrent lookups for each family.
    ///   - maximumSlow: The maximum number of further concurrent lookups for each family that are slow.
    ///   - maximumQueued: The maximum number of queued lookups for each family.
    ///   - maximumWaiters: The maximum number of waiters, including those for the same name.
    package init(most: Int, maximumSlow: Int = 0, maximumQueued: Int, maximumWaiters: Int) {
        self.most = max(1, most)
        self.maximumSlow = max(0, maximumSlow)
        self.maximumQueued = max(0, maximumQueued)
        self.maximumWaiters = max(1, maximumWaiters)
    }

    /// Returns the number of slow lookups of a family, which have freed their slots; for tests.
    package func late(_ family: AddressFamily) -> Int { lanes[family]?.late ?? 0 }

    /// Returns the number of running lookups of a family, except slow ones; for tests.
    package func asked(_ family: AddressFamily) -> Int { lanes[family]?.asked ?? 0 }

    /// Returns the number of queued lookups of a family; for tests.
    package func inLine(_ family: AddressFamily) -> Int { lanes[family]?.line.count ?? 0 }

    /// Adds a waiter for a lookup.
    package mutating func add(_ question: Question, _ waiter: Waiter) -> Answer {
        guard waiting < maximumWaiters else { return .isFull }
        var isNext = false
        if questions[question] == nil {
            var lane = lanes[question.family] ?? Lane()
            isNext = lane.asked < most
            guard isNext || lane.line.count < maximumQueued else { return .isFull }
            if isNext { lane.asked += 1 } else { lane.line.append(question) }
            lanes[question.family] = lane
            questions[question] = Asked(isAsked: isNext)
        }
        nextNumber += 1
        waiting += 1
        questions[question]?.waiters[nextNumber] = waiter
        let ticket = Ticket(question: question, number: nextNumber)
        return isNext ? .ask(ticket) : .wait(ticket)
    }

    /// Records the end of a lookup.
    ///
    /// - Parameter question: The lookup.
    /// - Returns: The waiters to notify, and the lookup to start next.
    package mutating func answered(_ question: Question) -> (waiters: [Waiter], next: Question?) {
        guard let answered = questions[question], answered.isAsked else { return ([], nil) }
        questions[question] = nil
        waiting -= answered.waiters.count
        var next: Question?
        if answered.isLate {
            lanes[question.family]?.late -= 1
        } else {
            next = givePlace(of: question.family)
        }
        return (Array(answered.waiters.values), next)
    }

    /// Records that a lookup is slow.
    ///
    /// - Parameter question: The lookup.
    /// - Returns: True if it keeps its slot, because too many lookups are slow already; and the lookup to start next.
    package mutating func isLate(_ question: Question) -> (keepsPlace: Bool, next: Question?) {
        // The lookup may have ended at this moment.
        guard let asked = questions[question], asked.isAsked, !asked.isLate else { return (false, nil) }
        guard late(question.family) < maximumSlow else { return (true, nil) }
        questions[question]?.isLate = true
        lanes[question.family]?.late += 1
        return (false, givePlace(of: question.family))
    }

    /// Passes a freed slot to the next queued lookup of a family.
    private mutating func givePlace(of family: AddressFamily) -> Question? {
        var lane = lanes[family] ?? Lane()
        let next = lane.line.popFirst()
        if let next { questions[next]?.isAsked = true } else { lane.asked -= 1 }
        lanes[family] = lane
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
        if let left = questions[question], left.waiters.isEmpty, !left.isAsked {
            questions[question] = nil
            lanes[question.family]?.line.removeAll { $0 == question }
        }
        return waiter
    }
}
