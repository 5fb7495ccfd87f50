// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Security
import SimorghCore
import SimorghSupport

extension SessionDelegate {
    // The challenges of sessions, such as those for server trust, are delivered here as well, since the method without a
    // task is not implemented: only here is the exchange known that fails with them.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let report: @Sendable (TransportError) -> Void = { [self, identifier = task.taskIdentifier] in
            securityFailed($0, of: identifier)
        }
        let space = challenge.protectionSpace
        let (method, isProxy, host) = (space.authenticationMethod, space.isProxy(), space.host)
        let usersAnswer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = { [trust] in
            ChallengeDecision.failure(of: $0, method: method, isProxy: isProxy, host: host).map(report)
            ChallengeDecision.isFinal($0)
                ? completionHandler($0, $1)
                : trust.answer(challenge, reporting: report, completionHandler: completionHandler)
        }
        let tasksDelegate = userDelegate as? any URLSessionTaskDelegate
        for asked in ChallengeDecision.order(of: method) {
            let called: Void? =
                switch asked {
                case .session:
                    userDelegate?.urlSession?(session, didReceive: challenge, completionHandler: usersAnswer)
                case .task:
                    tasksDelegate?.urlSession?(
                        session, task: task, didReceive: challenge, completionHandler: usersAnswer)
                }
            guard called == nil else { return }
        }
        trust.answer(challenge, reporting: report, completionHandler: completionHandler)
    }
}

extension SessionTrust {
    /// Verification may use the network, and the user's evaluation may block.
    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 8
        return queue
    }()

    fileprivate func answer(
        _ challenge: URLAuthenticationChallenge, reporting report: @escaping @Sendable (TransportError) -> Void,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        switch ChallengeDecision(method: space.authenticationMethod, isProxy: space.isProxy(), trust: self) {
        case .performDefaultHandling: completionHandler(.performDefaultHandling, nil)
        case .rejectProtectionSpace: completionHandler(.rejectProtectionSpace, nil)
        case .verifyServer:
            answer(completionHandler, reporting: report) { () throws(TransportError) in
                try credential(verifying: challenge)
            }
        case .presentIdentity:
            answer(completionHandler, reporting: report) { () throws(TransportError) in try credential() }
        }
    }

    private func answer(
        _ completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void,
        reporting report: @escaping @Sendable (TransportError) -> Void,
        with credential: @escaping @Sendable () throws(TransportError) -> URLCredential
    ) {
        Self.queue.addOperation {
            do throws(TransportError) {
                completionHandler(.useCredential, try credential())
            } catch {
                // The task ends as cancelled, which is not the reason.
                report(error)
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
        }
    }

    private func credential(verifying challenge: URLAuthenticationChallenge) throws(TransportError) -> URLCredential {
        let space = challenge.protectionSpace
        guard let serverTrust = space.serverTrust else {
            throw SystemTrustError(status: 0, text: "the challenge has no certificates").transportError(for: space.host)
        }
        try judge(
            space.host,
            verified: { () throws(SystemTrustError) in
                try SystemTrust.verify(serverTrust, host: host ?? space.host, roots: roots)
            },
            sent: { SystemTrust.sentCertificates(serverTrust) })
        return URLCredential(trust: serverTrust)
    }
}
#endif
