// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The answer to an authentication challenge of a task: the user's delegate is asked first, and then the trust of the
/// session decides.
package struct ChallengeAnswer: Sendable {
    /// The completion handler of a challenge.
    package typealias Completion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    /// Makes the credential of an answer; blocks.
    package typealias MakeCredential = @Sendable () throws(TransportError) -> URLCredential

    /// Verification may use the network, and the user's evaluation may block.
    static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 8
        // The default is that of background work, which the system slows down in Low Power Mode.
        queue.qualityOfService = .userInitiated
        return queue
    }()

    private let method: String
    private let isProxy: Bool
    private let host: String
    private let decision: ChallengeDecision
    private let verifyServer: MakeCredential
    private let presentIdentity: MakeCredential
    private let report: @Sendable (TransportError) -> Void

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - method: The authentication method of the challenge's protection space.
    ///   - isProxy: True if a proxy asks.
    ///   - host: The host of the protection space.
    ///   - trust: The trust of the session.
    ///   - verifyServer: Judges the server's certificates.
    ///   - presentIdentity: Returns the client's certificate and key.
    ///   - report: Receives the reason before a challenge is cancelled: the task itself ends only as cancelled.
    package init(
        to method: String, isProxy: Bool, host: String, trust: SessionTrust,
        verifyServer: @escaping MakeCredential, presentIdentity: @escaping MakeCredential,
        report: @escaping @Sendable (TransportError) -> Void
    ) {
        (self.method, self.isProxy, self.host) = (method, isProxy, host)
        decision = ChallengeDecision(method: method, isProxy: isProxy, trust: trust)
        self.verifyServer = verifyServer
        self.presentIdentity = presentIdentity
        self.report = report
    }

    /// Answers the challenge.
    ///
    /// - Parameters:
    ///   - completion: The completion handler of the challenge.
    ///   - ask: Calls a method of the user's delegate; returns `nil` if the delegate does not have it.
    package func give(
        to completion: @escaping Completion,
        asking ask: (_ method: ChallengeDecision.DelegateMethod, _ answer: @escaping Completion) -> Void?
    ) {
        for method in ChallengeDecision.order(of: method) {
            let called: Void? = ask(method) { disposition, credential in
                // The task ends only as cancelled.
                ChallengeDecision.failure(of: disposition, method: self.method, isProxy: isProxy, host: host)
                    .map(report)
                if ChallengeDecision.isFinal(disposition, method: self.method) {
                    completion(disposition, credential)
                } else {
                    decide(completion)
                }
            }
            if called != nil { return }
        }
        decide(completion)
    }

    private func decide(_ completion: @escaping Completion) {
        switch decision {
        case .performDefaultHandling: completion(.performDefaultHandling, nil)
        case .rejectProtectionSpace: completion(.rejectProtectionSpace, nil)
        case .verifyServer: use(verifyServer, for: completion)
        case .presentIdentity: use(presentIdentity, for: completion)
        }
    }

    private func use(_ makeCredential: @escaping MakeCredential, for completion: @escaping Completion) {
        Self.queue.addOperation { [report] in
            do throws(TransportError) {
                completion(.useCredential, try makeCredential())
            } catch {
                report(error)
                completion(.cancelAuthenticationChallenge, nil)
            }
        }
    }
}
