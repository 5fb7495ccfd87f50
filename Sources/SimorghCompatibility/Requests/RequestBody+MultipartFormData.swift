// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension RequestBody {
    /// A form in parts.
    ///
    /// - Parameter form: The form.
    /// - Returns: The body, which can be sent again.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when the type of a part is no valid header value.
    public static func multipart(_ form: MultipartFormData) throws -> RequestBody {
        try self.form(form.fields, boundary: form.boundary)
    }
}
