// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A delegate that receives upload progress; see ``/SimorghCompatibility/SimorghCore/Call/uploadProgress(delegate:)``.
public protocol UploadProgressDelegate: AnyObject, Sendable {
    /// Notifies the delegate that more bytes were sent.
    ///
    /// Calls are serial and in order, on the task or thread that sends the body. The call waits for this method before
    /// it returns a value, so the method should return quickly.
    ///
    /// - Parameter progress: The progress of the upload.
    func uploadDidProgress(_ progress: UploadProgress)
}

extension Call {
    /// Returns the same call, reporting its upload progress to a delegate.
    ///
    /// - Parameter delegate: The delegate; the call does not retain it.
    /// - Returns: The call.
    public func uploadProgress(delegate: any UploadProgressDelegate) -> Call {
        uploadProgress { [weak delegate] progress in delegate?.uploadDidProgress(progress) }
    }
}
