// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The answers of a resolver, until their time is over: a value, whose functions take the clock.
struct DNSAnswerCache: Sendable {
    /// The longest time that an answer is kept: a day.
    static let longestTime: UInt32 = 86_400
    /// The longest time that a negative answer is kept: five minutes.
    static let longestNegativeTime: UInt32 = 300

    private var answers: [DNSQuestion: (answer: DNSAnswer, deadline: Deadline)] = [:]
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(0, capacity) }

    var count: Int { answers.count }

    func answer(to question: DNSQuestion) -> DNSAnswer? {
        guard let entry = answers[question], entry.deadline.remaining > .zero else { return nil }
        return entry.answer
    }

    /// Keeps an answer.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - question: The question.
    ///   - age: The time that the answer spent in HTTP caches, in seconds (RFC 8484, section 5.1).
    ///   - time: The clock.
    mutating func store(_ answer: DNSAnswer, to question: DNSQuestion, age: UInt32, time: TimeSource) {
        let longest = answer.addresses.isEmpty ? Self.longestNegativeTime : Self.longestTime
        let seconds = min(answer.timeToLive, longest)
        guard capacity > 0, seconds > age else { return }
        if answers[question] == nil, answers.count >= capacity { makeRoom() }
        answers[question] = (answer, time.deadline(after: .seconds(Int64(seconds - age))))
    }

    private mutating func makeRoom() {
        answers = answers.filter { $0.value.deadline.remaining > .zero }
        while answers.count >= capacity,
            let first = answers.min(by: { $0.value.deadline.remaining < $1.value.deadline.remaining })
        {
            answers[first.key] = nil
        }
    }
}
