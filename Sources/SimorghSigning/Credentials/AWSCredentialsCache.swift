// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

/// Credentials in memory, and the single-flight load of new ones.
final class AWSCredentialsCache: Sendable {
    /// The time before their expiration at which credentials are replaced.
    private static let leeway: TimeInterval = 300
    /// The time before their expiration from which a request waits for new credentials.
    private static let urgency: TimeInterval = 60
    /// The time after which credentials without an expiration date are read again.
    private static let permanentLifetime: TimeInterval = 300
    /// The shortest time between two loads, for sources whose credentials are always about to expire.
    private static let minimumLifetime: TimeInterval = 10
    /// The time after a failure in which no other load starts.
    private static let pause: TimeInterval = 5
    /// The longest wait for a load, if the call has no deadline.
    private static let maximumWait = Duration.seconds(30)

    private struct State {
        var credentials: AWSCredentials?
        /// The date of the next load.
        var due = Date.distantPast
        /// The failure of the last load, if it is still reported.
        var failure: (any Error)?
        /// True while a task replaces credentials that are still valid.
        var isRefreshing = false

        /// Records the result of a load.
        mutating func finish(_ result: Result<AWSCredentials, any Error>, at date: Date) {
            switch result {
            case .success(let new):
                let lifetime = new.expiration.map { max(minimumLifetime, $0.timeIntervalSince(date) - leeway) }
                credentials = new
                due = date.addingTimeInterval(lifetime ?? permanentLifetime)
                failure = nil
            case .failure(let error):
                // A cancelled load says nothing about the source.
                guard !error.isCancellation else { return }
                failure = error
                due = date.addingTimeInterval(pause)
            }
        }
    }

    let load: @Sendable () async throws -> AWSCredentials
    /// Credentials that need no load; `nil` for a source that is asked.
    private let fixed: AWSCredentials?
    private let state = Mutex(State())
    private let gate = SingleFlight<AWSCredentials>(grace: .seconds(5))

    init(_ load: @escaping @Sendable () async throws -> AWSCredentials) {
        self.load = load
        fixed = nil
    }

    init(fixed credentials: AWSCredentials) {
        load = { credentials }
        fixed = credentials
    }

    /// Returns valid credentials, after a load if necessary.
    ///
    /// - Parameters:
    ///   - date: The date of this machine. It decides for all requests that share the source, so it must not come from
    ///     a server or from the caller of one function.
    ///   - request: The request that waits, whose deadline limits the wait.
    /// - Returns: The credentials.
    /// - Throws: The error of the load, ``AWSCredentialsError``, `CancellationError`, or a ``TransportError`` if the
    ///   deadline has passed.
    func current(at date: Date, for request: TransportRequest?) async throws -> AWSCredentials {
        if let fixed {
            guard fixed.isValid(at: date) else { throw Self.expired }
            return fixed
        }
        let (state, epoch) = state.withLock { ($0, gate.epoch) }
        let usable = state.credentials.flatMap { $0.isValid(at: date) ? $0 : nil }
        if state.due > date {
            if let usable { return usable }
            if let failure = state.failure { throw failure }
        }
        let time = request?.options.call?.time ?? .system
        if gate.isInside {
            if let usable { return usable }
            throw AWSCredentialsError(
                .unavailable, "the function that loads credentials waits for a request that needs the same credentials")
        }
        if let usable, usable.outlasts(Self.urgency, at: date) {
            refresh(at: date, epoch: epoch, time: time)
            return usable
        }
        let limit = request.flatMap { WaitLimit($0) }
        let outcome: Result<AWSCredentials, any Error>
        do {
            outcome = try await loaded(
                at: date, epoch: epoch, within: limit ?? WaitLimit(Self.maximumWait, time: time))
        } catch is TransportError where limit == nil {
            throw AWSCredentialsError(.unavailable, "the source did not return credentials within 30 seconds")
        }
        switch outcome {
        case .success(let new): return new
        case .failure(let error):
            guard let usable else { throw error }
            return usable
        }
    }

    /// Replaces credentials that are still valid, without a request that waits.
    private func refresh(at date: Date, epoch: Int, time: TimeSource) {
        let isNeeded = state.withLock { state in
            guard !state.isRefreshing else { return false }
            state.isRefreshing = true
            return true
        }
        guard isNeeded else { return }
        Task {
            // A failure is recorded, and the credentials are used until they expire.
            _ = try? await loaded(at: date, epoch: epoch, within: WaitLimit(Self.maximumWait, time: time))
            state.withLock { $0.isRefreshing = false }
        }
    }

    /// Loads credentials, or waits for the load of another request.
    private func loaded(
        at date: Date, epoch: Int, within limit: WaitLimit
    ) async throws -> Result<AWSCredentials, any Error> {
        try await gate.outcome(refusedIn: epoch, within: limit) { [self] in
            let result: Result<AWSCredentials, any Error>
            do {
                let new = try await load()
                guard new.isValid(at: date) else { throw Self.expired }
                result = .success(new)
            } catch {
                result = .failure(error)
            }
            state.withLock { $0.finish(result, at: date) }
            return try result.get()
        }
    }

    private static let expired = AWSCredentialsError(.expired, "the source returned credentials that have expired")
}

extension AWSCredentials {
    func isValid(at date: Date) -> Bool { expiration.map { $0 > date } ?? true }

    /// Returns true if the credentials expire, but not within a time.
    ///
    /// Permanent ones may have been replaced long ago, so a request waits until they are read again.
    fileprivate func outlasts(_ seconds: TimeInterval, at date: Date) -> Bool {
        expiration.map { $0.timeIntervalSince(date) > seconds } ?? false
    }
}
