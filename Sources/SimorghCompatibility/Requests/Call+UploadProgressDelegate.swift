// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension Call {
    /// Returns the same call, reporting its upload progress to a delegate.
    ///
    /// - Parameter delegate: The delegate; the call does not retain it.
    /// - Returns: The call.
    public func uploadProgress(delegate: any UploadProgressDelegate) -> Call {
        uploadProgress { [weak delegate] progress in delegate?.uploadDidProgress(progress) }
    }
}
