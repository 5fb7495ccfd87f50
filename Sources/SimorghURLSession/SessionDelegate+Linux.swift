// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
extension SessionDelegate {
    /// A server's challenge, which is the chain's to answer: the session is to hand over the 401 as it came.
    ///
    /// FoundationNetworking has no way to do so. Told to proceed without a credential it never ends the task (default
    /// handling) or sends the request again; told to cancel it ends the task after the answer was delivered. So the
    /// exchange is told to take that end for the end of the answer.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let response = challenge.failureResponse { exchange(of: task)?.responded(response) }
        exchange(of: task)?.willEndByChallenge()
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}

/// What a session can be asked for on this platform.
enum SessionAbilities {
    /// Whether a task that is suspended goes on where it was; here it begins again, and bytes come twice.
    static let canPause = false
}
#endif
