// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
package import SimorghCore

/// Which names the system is asked for at once and which wait for their turn, without a thread; equal questions are one.
///
/// The families have places of their own, so that a name server that is silent for one does not hold up the other. A
/// question that takes long gives its place to the next, so that a few names that nobody answers for hold up no others.
package struct LookupLine<Waiter: Sendable>: Sendable {
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

    /// A waiter's place.
    package struct Ticket: Hashable, Sendable {
        let question: Question
        let number: UInt64
    }

    /// What becomes of a question.
    package enum Answer: Sendable {
        /// The system is to be asked now; its answer is reported with ``LookupLine/answered(_:)``.
        case ask(Ticket)
        /// Somebody has asked the same, or all places are taken.
        case wait(Ticket)
        /// Too many wait.
        case isFull
    }

    private struct Asked: Sendable {
        var isAsked: Bool
        /// It is asked, and has given its place up.
        var isLate = false
        var waiters: [UInt64: Waiter] = [:]
    }

    /// The places of one family.
    private struct Lane: Sendable {
        var asked = 0
        /// Those that are asked, too, and have given their places up.
        var late = 0
        var line = CircularBuffer<Question>()
    }

    private let most: Int
    private let mostLate: Int
    private let mostInLine: Int
    private let mostWaiting: Int
    private var questions: [Question: Asked] = [:]
    private var lanes: [AddressFamily: Lane] = [:]
    private var nextNumber: UInt64 = 0
    /// How many wait, for whatever.
    package private(set) var waiting = 0

    /// - Parameters:
    ///   - most: How many questions of a family are asked at once.
    ///   - mostLate: How many more of a family, of those that take long.
    ///   - mostInLine: How many of a family wait for their turn.
    ///   - mostWaiting: How many wait for an answer, also for that of a question that others have asked.
    package init(most: Int, mostLate: Int = 0, mostInLine: Int, mostWaiting: Int) {
        self.most = max(1, most)
        self.mostLate = max(0, mostLate)
        self.mostInLine = max(0, mostInLine)
        self.mostWaiting = max(1, mostWaiting)
    }

    /// How many questions of a family have given their places up; for tests.
    package func late(_ family: AddressFamily) -> Int { lanes[family]?.late ?? 0 }

    /// How many questions of a family are being asked, but for those; for tests.
    package func asked(_ family: AddressFamily) -> Int { lanes[family]?.asked ?? 0 }

    /// How many questions of a family wait for their turn; for tests.
    package func inLine(_ family: AddressFamily) -> Int { lanes[family]?.line.count ?? 0 }

    /// Somebody asks.
    package mutating func add(_ question: Question, _ waiter: Waiter) -> Answer {
        guard waiting < mostWaiting else { return .isFull }
        var isNext = false
        if questions[question] == nil {
            var lane = lanes[question.family] ?? Lane()
            isNext = lane.asked < most
            guard isNext || lane.line.count < mostInLine else { return .isFull }
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

    /// The system has answered.
    ///
    /// - Parameter question: What it was asked.
    /// - Returns: Who is to be told, and what it is to be asked next.
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

    /// The system takes long with a question.
    ///
    /// - Parameter question: What it was asked.
    /// - Returns: Whether it keeps its place, as too many gave theirs up; and what the system is to be asked next.
    package mutating func isLate(_ question: Question) -> (keepsPlace: Bool, next: Question?) {
        // It may have been answered this very moment.
        guard let asked = questions[question], asked.isAsked, !asked.isLate else { return (false, nil) }
        guard late(question.family) < mostLate else { return (true, nil) }
        questions[question]?.isLate = true
        lanes[question.family]?.late += 1
        return (false, givePlace(of: question.family))
    }

    /// Gives a place of a family to the next in its line.
    private mutating func givePlace(of family: AddressFamily) -> Question? {
        var lane = lanes[family] ?? Lane()
        let next = lane.line.popFirst()
        if let next { questions[next]?.isAsked = true } else { lane.asked -= 1 }
        lanes[family] = lane
        return next
    }

    /// Somebody waits no longer.
    ///
    /// A question that the system was asked goes on, for whoever asks the same meanwhile.
    ///
    /// - Returns: The waiter, unless the answer was quicker.
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
