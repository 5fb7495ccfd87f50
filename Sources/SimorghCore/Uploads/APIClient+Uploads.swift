// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// Uploads as calls: everything that a ``Call`` can do, they can.
///
/// ``Timeouts/total`` does not hold for them unless it was set: how long an upload takes depends on its
/// size. The timeout between two pieces of the body does.
extension APIClient {
    /// A call that sends a form, not yet made.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; its parameters become the form's first fields.
    ///   - formFields: The fields, in their order.
    /// - Returns: The call.
    public func upload(_ router: some NetworkRouter, formFields: [MultipartFormField]) -> Call<Data> {
        upload { () throws(InvalidRequest) in try CallDescription(router: router, formFields: formFields) }
    }

    /// A call that sends bytes as the file of a form, not yet made.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; its parameters become the form's first fields.
    ///   - name: The name of the form's field.
    ///   - data: The bytes; `nil` sends the form without a file.
    ///   - fileName: The name of the file; that of the field with the extension of the type by default.
    ///   - mimeType: The type; told by the first bytes by default.
    /// - Returns: The call.
    public func upload(
        _ router: some NetworkRouter,
        withName name: String,
        data: Data?,
        fileName: String? = nil,
        mimeType: String? = nil
    ) -> Call<Data> {
        guard let data else { return upload(router, formFields: []) }
        let found = MimeTypeDetector.detectMimeType(from: data)
        let ext = mimeType.flatMap { MimeTypeDetector.extensions(for: $0).first } ?? found?.ext
        let file = MultipartFormField.file(
            name: name, data: data, fileName: fileName ?? ext.map { "\(name).\($0)" } ?? name,
            mimeType: mimeType ?? found?.mime)
        return upload(router, formFields: [file])
    }

    /// A call that sends a body of any kind, not yet made.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; parameters besides the body are refused.
    ///   - body: The body.
    /// - Returns: The call.
    public func upload(_ router: some NetworkRouter, body: RequestBody) -> Call<Data> {
        upload { () throws(InvalidRequest) in try CallDescription(router: router, body: body) }
    }

    /// A call that sends a file as it is, not yet made.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; parameters besides the file are refused.
    ///   - path: The file's path; it is read as it is sent.
    ///   - contentType: The media type; told by the first bytes and the name by default.
    /// - Returns: The call.
    public func upload(_ router: some NetworkRouter, file path: String, contentType: String? = nil) -> Call<Data> {
        upload { () throws(InvalidRequest) in
            try CallDescription(router: router, lateBody: RequestBody.detectedFile(path, contentType: contentType))
        }
    }

    /// A call that sends a file to a path below the base URL, not yet made.
    ///
    /// - Parameters:
    ///   - path: The file's path; it is read as it is sent.
    ///   - target: The path below the base URL; a whole URL where the client has no base URL.
    ///   - method: The method; `PUT` by default.
    ///   - headers: Header fields; they win over the client's.
    ///   - contentType: The media type; told by the first bytes and the name by default.
    /// - Returns: The call.
    public func upload(
        file path: String,
        to target: String,
        method: RequestMethod = .put,
        headers: [String: String] = [:],
        contentType: String? = nil
    ) -> Call<Data> {
        upload { () throws(InvalidRequest) in
            var description = CallDescription(method: method, path: target)
            description.headers = headers
            description.lateBody = RequestBody.detectedFile(path, contentType: contentType)
            return description
        }
    }

    /// A call that sends a body of any kind to a path below the base URL, not yet made.
    ///
    /// - Parameters:
    ///   - body: The body, such as a stream.
    ///   - target: The path below the base URL; a whole URL where the client has no base URL.
    ///   - method: The method; `PUT` by default.
    ///   - headers: Header fields; they win over the client's.
    /// - Returns: The call.
    public func upload(
        _ body: RequestBody, to target: String, method: RequestMethod = .put, headers: [String: String] = [:]
    ) -> Call<Data> {
        upload { () throws(InvalidRequest) in
            var description = CallDescription(method: method, path: target)
            description.headers = headers
            description.body = body
            return description
        }
    }

    private func upload(
        _ describe: @escaping @Sendable () throws(InvalidRequest) -> CallDescription
    ) -> Call<Data> {
        Call(client: self, decoding: .data) { _ throws(InvalidRequest) in try describe() }.withoutTotalTimeout()
    }
}

extension Call {
    /// The same call without the total timeout, unless that was set, be it to its default.
    package func withoutTotalTimeout() -> Call {
        guard !settings.configuration.timeouts.isTotalSet else { return self }
        return with { $0.timeouts.total = nil }
    }
}

extension RequestBody {
    /// Makes the body of a file, and reads its beginning where nobody says of what type it is.
    fileprivate static func detectedFile(
        _ path: String, contentType: String?
    ) -> @Sendable () throws(InvalidRequest) -> RequestBody {
        { () throws(InvalidRequest) in
            let type = contentType ?? MimeTypeDetector.detectMimeType(fromFile: path)?.mime
            return try .contents(of: path, contentType: type ?? "application/octet-stream")
        }
    }
}
