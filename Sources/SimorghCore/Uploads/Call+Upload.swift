// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Call {
    /// Returns the same call with a callback for the progress of the request body.
    ///
    /// Progress never decreases, even over retries and redirects: bytes that are sent again are not reported again. The
    /// last report, with the fraction 1, comes only when the server's response is accepted.
    ///
    /// - Parameter observe: Receives the progress, serially and in order, on the task or thread that sends the body.
    ///   The call waits for it before it returns a value, so it should return quickly.
    /// - Returns: The call.
    public func uploadProgress(_ observe: @escaping @Sendable (_ progress: UploadProgress) -> Void) -> Call {
        var copy = self
        copy.observeUpload = { [before = observeUpload] progress in
            before?(progress)
            observe(progress)
        }
        return copy
    }

    /// Returns the same call with a callback for fractions from 0 to 1; only the final 1 if the length is unknown.
    package func uploadProgress(fraction: @escaping @Sendable (Double) -> Void) -> Call {
        uploadProgress { progress in
            if progress.isFinished || !progress.isIndeterminate { fraction(progress.fraction) }
        }
    }

    /// Returns the same call with a callback for the fraction, the bytes sent and the total, which is -1 if unknown.
    package func uploadProgress(bytes: @escaping @Sendable (Double, Int64, Int64) -> Void) -> Call {
        uploadProgress { progress in bytes(progress.fraction, progress.sent, progress.total ?? -1) }
    }

    /// Returns the call as a sequence of events: its progress, and finally its value.
    ///
    /// - Returns: The events, as a cold sequence: each iteration makes one exchange.
    public func uploadEvents() -> UploadEvents<Output> {
        UploadEvents { observe async throws(NetworkError) in try await uploadProgress(observe).result().get() }
    }
}
