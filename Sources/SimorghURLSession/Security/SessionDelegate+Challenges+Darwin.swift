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
        let space = challenge.protectionSpace
        let answer = ChallengeAnswer(
            to: space.authenticationMethod, isProxy: space.isProxy(), host: space.host, trust: trust,
            verifyServer: { [trust] () throws(TransportError) in try trust.credential(verifying: space) },
            presentIdentity: { [trust] () throws(TransportError) in try trust.credential() },
            report: { [self, identifier = task.taskIdentifier] in securityFailed($0, of: identifier) })
        let tasksDelegate = userDelegate as? any URLSessionTaskDelegate
        answer.give(to: completionHandler) { method, answer in
            switch method {
            case .session: userDelegate?.urlSession?(session, didReceive: challenge, completionHandler: answer)
            case .task:
                tasksDelegate?.urlSession?(session, task: task, didReceive: challenge, completionHandler: answer)
            }
        }
    }
}

extension SessionTrust {
    /// Judges the server of a challenge.
    func credential(verifying space: URLProtectionSpace) throws(TransportError) -> URLCredential {
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
