// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A multipart form that is built part by part.
///
/// ```swift
/// var form = MultipartFormData()
/// form.addPart(name: "avatar", data: picture, mimeType: "image/png", filename: "avatar.png")
/// let body = try RequestBody.multipart(form)
/// ```
/// An array of ``/SimorghCore/MultipartFormField`` is an alternative that also supports files and streams.
public struct MultipartFormData: Sendable {
    /// One part.
    public struct Part: Sendable, Hashable {
        /// The field's name.
        public let name: String
        /// The content.
        public let data: Data
        /// The content's media type.
        public let mimeType: String
        /// The file name; `nil` if the part is not a file.
        public let filename: String?

        /// Creates a part.
        ///
        /// - Parameters:
        ///   - name: The field's name.
        ///   - data: The content.
        ///   - mimeType: The content's media type.
        ///   - filename: The file name; `nil` if the part is not a file.
        public init(name: String, data: Data, mimeType: String, filename: String? = nil) {
            self.name = name
            self.data = data
            self.mimeType = mimeType
            self.filename = filename
        }
    }

    /// The random boundary between the parts.
    public let boundary = RequestBody.randomBoundary()
    /// The parts so far.
    public private(set) var parts: [Part] = []

    /// Creates a form without parts.
    public init() {}

    /// Adds a part.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - data: The content.
    ///   - mimeType: The content's media type.
    ///   - filename: The file name; `nil` if the part is not a file.
    public mutating func addPart(name: String, data: Data, mimeType: String, filename: String? = nil) {
        parts.append(Part(name: name, data: data, mimeType: mimeType, filename: filename))
    }

    /// The parts as fields.
    public var fields: [MultipartFormField] {
        parts.map { .part(name: $0.name, body: .bytes($0.data, contentType: $0.mimeType), fileName: $0.filename) }
    }
}

extension RequestBody {
    /// Returns a multipart form as a body.
    ///
    /// - Parameter form: The form.
    /// - Returns: The body, which can be sent more than once.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the media type of a part is not a valid field value.
    public static func multipart(_ form: MultipartFormData) throws -> RequestBody {
        try self.form(form.fields, boundary: form.boundary)
    }
}
