// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension RequestBody {
    /// Returns a multipart form as a body.
    ///
    /// - Parameter form: The form.
    /// - Returns: The body, which can be sent more than once.
    /// - Throws: ``/SimorghCore/InvalidRequest`` if the media type of a part is not a valid field value.
    public static func multipart(_ form: MultipartFormData) throws -> RequestBody {
        try self.form(form.fields, boundary: form.boundary)
    }
}
