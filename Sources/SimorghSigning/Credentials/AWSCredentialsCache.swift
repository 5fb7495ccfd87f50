// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

/// Credentials in memory, and the single-flight load of new ones.
final class AWSCredentialsCache: Sendable {
    /// The time before their expiration at which credentials are replaced.
    private static let leeway: TimeInterval = 300
    /// The time after which credentials without an expiration date are read again.
    private static let permanentLifetime: TimeInterval = 300
    /// The shortest time between two loads, for sources whose credentials are always about to expire.
    private static let minimumLifetime: TimeInterval = 10
    /// The time after a failure in which no other load starts.
    private static let pause: TimeInterval = 5

    private struct State {
        var credentials: AWSCredentials?
        /// The date of the next load.
        var due = Date.distantPast
        /// The failure of the last load, if it is still reported.
        var failure: (any Error)?

        /// Records the result of a load.
        mutating func finish(_ result: Result<AWSCredentials, any Error>, at date: Date) {
            switch result {
            case .success(let new):
                let lifetime = new.expiration.map { max(minimumLifetime, $0.timeIntervalSince(date) - leeway) }
                self = State(credentials: new, due: date.addingTimeInterval(lifetime ?? permanentLifetime))
            case .failure(let error):
                // A cancelled load says nothing about the source.
                guard !(error is CancellationError) else { return }
                failure = error
                due = date.addingTimeInterval(pause)
            }
        }
    }

    let load: @Sendable () async throws -> AWSCredentials
    private let state = Mutex(State())
    private let gate = SingleFlight<AWSCredentials>(grace: .seconds(5))

    init(_ load: @escaping @Sendable () async throws -> AWSCredentials) { self.load = load }

    func current(at date: Date) async throws -> AWSCredentials {
        let (state, epoch) = state.withLock { ($0, gate.epoch) }
        let usable = state.credentials.flatMap { $0.isValid(at: date) ? $0 : nil }
        if state.due > date {
            if let usable { return usable }
            if let failure = state.failure { throw failure }
        }
        let outcome = try await gate.outcome(refusedIn: epoch, within: nil) { [self] in
            let result: Result<AWSCredentials, any Error>
            do {
                let new = try await load()
                guard new.isValid(at: date) else {
                    throw AWSCredentialsError(.expired, "the source returned credentials that have expired")
                }
                result = .success(new)
            } catch {
                result = .failure(error)
            }
            self.state.withLock { $0.finish(result, at: date) }
            return try result.get()
        }
        switch outcome {
        case .success(let new): return new
        case .failure(let error):
            guard let usable else { throw error }
            return usable
        }
    }
}

extension AWSCredentials {
    func isValid(at date: Date) -> Bool { expiration.map { $0 > date } ?? true }
}
