// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
import SimorghCore

extension BackgroundTransfers {
    /// Throws an error: only Apple platforms have background sessions.
    static func system(
        _ settings: BackgroundSessionSettings
    ) throws(TransportError) -> Provider {
        let cause = UnsupportedByURLSessionError(
            option: "BackgroundUploader",
            reason: "only Apple platforms have background sessions; use ResumableUpload of an APIClient")
        throw TransportError(
            .unknown, phase: .total, message: cause.description, requestMayHaveBeenSent: false, underlying: cause)
    }
}

extension URLSessionTask {
    /// Does nothing: only tasks of background sessions wait.
    func wait(until earliestBegin: Date?) {}

    /// Cancels the task: there is no resume data.
    func stop(_ completion: @escaping @Sendable (Data?) -> Void) {
        cancel()
        completion(nil)
    }
}

extension URLSession {
    /// Returns no task: uploads cannot be continued.
    func resumedUploadTask(_ data: Data) -> URLSessionTask? { nil }
}

extension URLError {
    /// The number of the reason for which the system cancelled a background task; never known.
    var backgroundCancellation: Int? { nil }

    /// The data to continue the task; always missing.
    var resumeData: Data? { nil }
}
#endif
