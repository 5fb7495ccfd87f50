// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Call {
    /// The same call, telling how far the body of its request has come.
    ///
    /// Progress never goes back, also over retries and redirects: what is sent again is not told again. The last one, with the
    /// fraction 1, comes when the server's answer is accepted, and only then.
    ///
    /// - Parameter observe: Called one call at a time and in order, on the task or thread that sends the body. The call waits for it
    ///   before it returns a value, so it should return at once.
    /// - Returns: The call.
    public func uploadProgress(_ observe: @escaping @Sendable (_ progress: UploadProgress) -> Void) -> Call {
        var copy = self
        copy.observeUpload = { [before = observeUpload] progress in
            before?(progress)
            observe(progress)
        }
        return copy
    }

    /// The same call, telling fractions: from 0 to 1, where the length is not known only the 1 at the end.
    package func uploadProgress(fraction: @escaping @Sendable (Double) -> Void) -> Call {
        uploadProgress { progress in
            if progress.isFinished || !progress.isIndeterminate { fraction(progress.fraction) }
        }
    }

    /// The same call, telling fractions and bytes; a length that is not known is -1.
    package func uploadProgress(bytes: @escaping @Sendable (Double, Int64, Int64) -> Void) -> Call {
        uploadProgress { progress in bytes(progress.fraction, progress.sent, progress.total ?? -1) }
    }

    /// The call as a sequence of events: its progress, and at last its value.
    ///
    /// - Returns: The events: cold, one exchange for each iteration.
    public func uploadEvents() -> UploadEvents<Output> {
        UploadEvents { observe async throws(NetworkError) in try await uploadProgress(observe).result().get() }
    }
}
