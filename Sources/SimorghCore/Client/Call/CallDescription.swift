// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghSupport

/// The request as an endpoint describes it, before the client's settings are added.
package struct CallDescription: Sendable {
    package var method: RequestMethod
    /// The endpoint's own base URL; if empty, the client's is used.
    package var base = ""
    package var version: String?
    package var path: String
    /// A complete URL, which replaces the base URL, the path and the query of the client and of the endpoint.
    package var absolute: (base: BaseURL, target: String)?
    package var pathIsPercentEncoded = false
    package var query: [QueryItem] = []
    package var headers: [String: String] = [:]
    package var body = RequestBody.empty
    /// Makes the body if that needs to look at a file, which can block.
    package var deferredBody: (@Sendable () throws(InvalidRequestError) -> RequestBody)?
    package var encoder: JSONEncoder?

    package init(method: RequestMethod, path: String) {
        self.method = method
        self.path = path
    }

    /// Uses a form as the body.
    package mutating func take(_ form: [MultipartFormField]) throws(InvalidRequestError) {
        if form.contains(where: \.readsFile) {
            deferredBody = { () throws(InvalidRequestError) in try .form(form) }
        } else {
            body = try .form(form)
        }
    }

    /// Makes a body that depends on files, on a thread that may block.
    ///
    /// - Parameters:
    ///   - deadline: The deadline; `nil` for no limit.
    ///   - time: The clock for the deadline.
    ///   - scope: Cancels the wait, as cancelling the caller's task does.
    /// - Throws: ``InvalidRequestError``, `CancellationError`, or a ``TransportError`` if the deadline passed.
    package mutating func readFiles(
        within deadline: Deadline?, time: TimeSource, scope: CancellationScope
    ) async throws {
        guard let makeBody = deferredBody.take() else { return }
        body = try await scope.run {
            try await withThrowingTaskGroup(of: RequestBody.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await FileQueue.runUntilCancelled(makeBody) }
                if let deadline {
                    group.addTask {
                        try await time.sleep(for: deadline.remaining)
                        throw TransportError.timedOut(.total, after: deadline.limit, requestMayHaveBeenSent: false)
                    }
                }
                guard let body = try await group.next() else { throw CancellationError() }
                return body
            }
        }
    }

    /// Returns the URL of the request as far as it is known before the URL is built, for error messages.
    package func intendedURL(_ settings: APIClient.Settings) -> String {
        let base = base.isEmpty ? settings.configuration.baseURL ?? "" : base
        // An absolute URL as a path is rejected, but redaction would miss its credentials in the middle of the joined
        // text.
        let parts = [base, version ?? "", path].filter { !$0.isEmpty }.map(RedactedURL.withoutCredentials)
        return parts.reduce("") { url, part in
            let isJoined = url.isEmpty || url.utf8.last == UInt8(ascii: "/") || part.behind(first: "/") != nil
            return isJoined ? url + part : "\(url)/\(part)"
        }
    }

    /// Combines the description with the client's settings into a request whose URL, head and body are validated.
    package func resolved(
        _ settings: APIClient.Settings, clientBase: Result<BaseURL, InvalidRequestError>?, accept: AcceptedTypes?
    ) throws(InvalidRequestError) -> TransportRequest {
        let (base, target) = try url(settings, clientBase: clientBase)
        var head = HTTPRequest(
            method: try method.httpMethod(), scheme: base.scheme, authority: base.authority, path: target)
        if !headers.isEmpty { head.headerFields = try HeaderRules.fields(headers) }
        let codecs = try settings.codecs?.get()
        let body = try body.encoded(
            with: encoder ?? settings.configuration.coding.encoder ?? Coders.encoder, codecs: codecs,
            as: codecs == nil ? nil : head.headerFields[.contentType])
        if let type = body.contentType, !body.isEmpty, !head.headerFields.contains(.contentType) {
            head.headerFields.append(try HeaderRules.field(name: "Content-Type", value: type))
        }
        if let accept, !head.headerFields.contains(.accept) {
            let types = if case .only(let types) = accept { types } else { codecs?.accept ?? BodyCodec.jsonType }
            head.headerFields.append(HTTPField(name: .accept, value: types))
        }
        return TransportRequest(head: head, body: body, options: settings.options)
    }

    private func url(
        _ settings: APIClient.Settings, clientBase: Result<BaseURL, InvalidRequestError>?
    ) throws(InvalidRequestError) -> (BaseURL, target: String) {
        if let absolute { return absolute }
        // Performance: runs for each call and avoids copying the configuration, which is large.
        let query = settings.configuration.query.items.isEmpty ? query : settings.configuration.query.items + query
        let parsed: BaseURL
        if !base.isEmpty {
            parsed = try BaseURL(base)
        } else if let clientBase {
            parsed = try clientBase.get()
        } else {
            return try BaseURL.absolute(path, query: query)
        }
        let target = try parsed.target(
            version: version, path: path, pathIsPercentEncoded: pathIsPercentEncoded, query: query)
        return (parsed, target)
    }
}
