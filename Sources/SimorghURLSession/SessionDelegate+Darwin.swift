// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
extension SessionDelegate {
    // A certificate is the user's to judge, where they brought a judge, and else the system's.
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if users?.urlSession?(session, didReceive: challenge, completionHandler: completionHandler) == nil {
            completionHandler(.performDefaultHandling, nil)
        }
    }

    // A server's own challenge is the chain's to answer: the session hands over the 401 as it came.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.rejectProtectionSpace, nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        (users as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, didFinishCollecting: metrics)
    }
}

/// What a session can be asked for on this platform.
enum SessionAbilities {
    /// Whether a task that is suspended goes on where it was.
    static let canPause = true
}
#endif
