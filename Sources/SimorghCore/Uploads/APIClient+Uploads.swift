// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// Uploads as calls, with everything that a ``Call`` supports.
///
/// ``Timeouts/total`` applies to them only if it was set explicitly, because the duration of an upload depends on its
/// size. The timeout between two pieces of the body always applies.
extension APIClient {
    /// Returns a call that sends a form.
    ///
    /// The call is not made yet.
    ///
    /// - Parameters:
    ///   - router: The endpoint. Default method: `POST`. Its parameters become the first fields of the form.
    ///   - formFields: The fields, in order.
    /// - Returns: The call.
    public func upload(_ router: some NetworkRouter, formFields: [MultipartFormField]) -> Call<Data> {
        upload { () throws(InvalidRequestError) in try CallDescription(router: router, formFields: formFields) }
    }

    /// Returns a call that sends bytes as a file in a form.
    ///
    /// The call is not made yet.
    ///
    /// - Parameters:
    ///   - router: The endpoint. Default method: `POST`. Its parameters become the first fields of the form.
    ///   - name: The name of the form field.
    ///   - data: The bytes; `nil` sends the form without a file.
    ///   - fileName: The name of the file. Default: the name of the field with the file extension of the type.
    ///   - mimeType: The media type. Default: detected from the first bytes.
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

    /// Returns a call that sends a body of any kind.
    ///
    /// The call is not made yet.
    ///
    /// - Parameters:
    ///   - router: The endpoint. Default method: `POST`. It must not have parameters, since the body replaces them.
    ///   - body: The body.
    /// - Returns: The call.
    public func upload(_ router: some NetworkRouter, body: RequestBody) -> Call<Data> {
        upload { () throws(InvalidRequestError) in try CallDescription(router: router, body: body) }
    }

    /// Returns a call that sends a file.
    ///
    /// The call is not made yet.
    ///
    /// - Parameters:
    ///   - router: The endpoint. Default method: `POST`. It must not have parameters, since the file replaces them.
    ///   - path: The path of the file, which is read while it is sent.
    ///   - contentType: The media type. Default: detected from the first bytes and the file name.
    /// - Returns: The call.
    public func upload(_ router: some NetworkRouter, file path: String, contentType: String? = nil) -> Call<Data> {
        upload { () throws(InvalidRequestError) in
            try CallDescription(router: router, deferredBody: RequestBody.detectedFile(path, contentType: contentType))
        }
    }

    /// Returns a call that sends a file to a path below the base URL.
    ///
    /// The call is not made yet.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which is read while it is sent.
    ///   - target: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - method: The method. Default: `PUT`.
    ///   - headers: The header fields. They override the client's.
    ///   - contentType: The media type. Default: detected from the first bytes and the file name.
    /// - Returns: The call.
    public func upload(
        file path: String,
        to target: String,
        method: RequestMethod = .put,
        headers: [String: String] = [:],
        contentType: String? = nil
    ) -> Call<Data> {
        upload { () throws(InvalidRequestError) in
            var description = CallDescription(method: method, path: target)
            description.headers = headers
            description.deferredBody = RequestBody.detectedFile(path, contentType: contentType)
            return description
        }
    }

    /// Returns a call that sends a body of any kind to a path below the base URL.
    ///
    /// The call is not made yet.
    ///
    /// - Parameters:
    ///   - body: The body, such as a stream.
    ///   - target: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - method: The method. Default: `PUT`.
    ///   - headers: The header fields. They override the client's.
    /// - Returns: The call.
    public func upload(
        _ body: RequestBody, to target: String, method: RequestMethod = .put, headers: [String: String] = [:]
    ) -> Call<Data> {
        upload { () throws(InvalidRequestError) in
            var description = CallDescription(method: method, path: target)
            description.headers = headers
            description.body = body
            return description
        }
    }

    private func upload(
        _ describe: @escaping @Sendable () throws(InvalidRequestError) -> CallDescription
    ) -> Call<Data> {
        Call(client: self, decoding: .data) { _ throws(InvalidRequestError) in try describe() }.withoutTotalTimeout()
    }
}

extension Call {
    /// Returns the same call without the total timeout, unless that was set explicitly, even to its default.
    package func withoutTotalTimeout() -> Call {
        guard !settings.configuration.timeouts.isTotalSet else { return self }
        return with { $0.timeouts.total = nil }
    }
}

extension RequestBody {
    /// Returns a function that makes the body of a file and detects its type if the caller did not specify it.
    fileprivate static func detectedFile(
        _ path: String, contentType: String?
    ) -> @Sendable () throws(InvalidRequestError) -> RequestBody {
        { () throws(InvalidRequestError) in
            let type = contentType ?? MimeTypeDetector.detectMimeType(fromFile: path)?.mime
            return try .contents(of: path, contentType: type ?? "application/octet-stream")
        }
    }
}
