// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension Call {
    /// The same call, telling a delegate how far the body of its request has come.
    ///
    /// - Parameter delegate: Is told; it is not kept alive.
    /// - Returns: The call.
    public func uploadProgress(delegate: any UploadProgressDelegate) -> Call {
        uploadProgress { [weak delegate] progress in delegate?.uploadDidProgress(progress) }
    }
}
