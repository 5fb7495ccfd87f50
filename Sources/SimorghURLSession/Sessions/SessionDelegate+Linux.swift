// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
extension SessionDelegate {
    /// Handles an authentication challenge of a server; the pipeline answers it, so the session has to return the 401
    /// unchanged.
    ///
    /// FoundationNetworking cannot do that. If it proceeds without a credential, the task never ends (default
    /// handling) or the request is sent again. If the challenge is cancelled, the task ends after the response was
    /// delivered. So the exchange is notified first, and treats that end as the end of the response.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let response = challenge.failureResponse { exchange(of: task)?.responded(response) }
        exchange(of: task)?.challengeCancelled()
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}
#endif
