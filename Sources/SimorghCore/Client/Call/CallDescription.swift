// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghSupport

/// What an endpoint says of its request, before the client's settings are joined to it.
package struct CallDescription: Sendable {
    package var method: RequestMethod
    /// The endpoint's own base URL; the client's where it is empty.
    package var base = ""
    package var version: String?
    package var path: String
    package var pathIsPercentEncoded = false
    package var query: [QueryItem] = []
    package var headers: [String: String] = [:]
    package var body = RequestBody.empty
    /// Makes the body instead, where a file has to be looked at for it: that may block.
    package var lateBody: (@Sendable () throws(InvalidRequest) -> RequestBody)?
    package var encoder: JSONEncoder?

    package init(method: RequestMethod, path: String) {
        self.method = method
        self.path = path
    }

    /// Takes a form as the body.
    package mutating func take(_ form: [MultipartFormField]) throws(InvalidRequest) {
        if form.contains(where: \.readsFile) {
            lateBody = { () throws(InvalidRequest) in try .form(form) }
        } else {
            body = try .form(form)
        }
    }

    /// Makes the body that waits for its files, on a thread that may.
    ///
    /// - Parameters:
    ///   - deadline: When it is too late for it; `nil` for never.
    ///   - time: Where the wait for that takes the time from.
    ///   - scope: Whose end is the end of the wait, as that of the caller's task is.
    /// - Throws: ``InvalidRequest``, `CancellationError`, or a ``TransportError`` when the deadline has passed.
    package mutating func readFiles(
        within deadline: Deadline?, _ time: TimeSource, _ scope: CancellationScope
    ) async throws {
        guard let makeBody = lateBody.take() else { return }
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

    /// Where the request goes, as far as it can be told before the URL is built: for the errors of the building.
    package func intendedURL(_ settings: APIClient.Settings) -> String {
        let base = base.isEmpty ? settings.configuration.baseURL ?? "" : base
        // A path that is a whole URL is refused, but its credentials would not be seen in the middle of a text.
        let parts = [base, version ?? "", path].filter { !$0.isEmpty }.map(ShownURL.withoutCredentials)
        return parts.reduce("") { url, part in
            let isJoined = url.isEmpty || url.utf8.last == UInt8(ascii: "/") || part.behind(first: "/") != nil
            return isJoined ? url + part : "\(url)/\(part)"
        }
    }

    /// Joins the description to the client's settings: a request with URL, head and body, each checked.
    package func resolved(
        _ settings: APIClient.Settings, _ clientBase: Result<BaseURL, InvalidRequest>?, accept: String?
    ) throws(InvalidRequest) -> TransportRequest {
        let (base, target) = try url(settings, clientBase)
        var head = HTTPRequest(
            method: try method.httpMethod(), scheme: base.scheme, authority: base.authority, path: target)
        if !headers.isEmpty { head.headerFields = try HeaderRules.fields(headers) }
        let body = try body.encoded(with: encoder ?? settings.configuration.coding.encoder ?? Coders.encoder)
        if let type = body.contentType, !body.isEmpty, !head.headerFields.has(.contentType) {
            head.headerFields.append(try HeaderRules.field(name: "Content-Type", value: type))
        }
        if let accept, !head.headerFields.has(.accept) {
            head.headerFields.append(HTTPField(name: .accept, value: accept))
        }
        return TransportRequest(head: head, body: body, options: settings.options)
    }

    private func url(
        _ settings: APIClient.Settings, _ clientBase: Result<BaseURL, InvalidRequest>?
    ) throws(InvalidRequest) -> (BaseURL, target: String) {
        // Not a copy of the configuration, which is large: this is on the way of each call.
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
