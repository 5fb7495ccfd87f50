// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

/// One GraphQL operation as an HTTP request.
package struct GraphQLRequestDescription: Sendable {
    package var content: GraphQLRequestContent
    /// The kind of the operation; `nil` if the document was not understood.
    package var kind: GraphQLDocument.Kind?
    package var path: String
    package var headers: [String: String] = [:]
    /// The value of `Accept`.
    package var accept: String
    package var options: GraphQLOptions
    /// True if the first request contains the hash of the document.
    package var sendsHash = false
    /// The files to send.
    package var uploads: [GraphQLUpload] = []

    package init(
        _ content: GraphQLRequestContent, kind: GraphQLDocument.Kind?, path: String, accept: String,
        options: GraphQLOptions
    ) {
        self.content = content
        self.kind = kind
        self.path = path
        self.accept = accept
        self.options = options
    }

    /// Header fields that no form of a web page can send.
    ///
    /// Servers require one of them to reject forged requests from browsers, of GETs and forms.
    package static let preflightHeaders = ["Apollo-Require-Preflight": "true", "GraphQL-Preflight": "1"]

    /// The names of the client's header fields that may be credentials, which a redirect must not send to another
    /// origin.
    var credentialNames: Set<HTTPField.Name> {
        let harmless = ["accept", "accept-language", "content-type", "user-agent"]
        let others = Set(harmless + Self.preflightHeaders.keys.map { $0.lowercased() })
        return Set(headers.keys.filter { !others.contains($0.lowercased()) }.compactMap { HTTPField.Name($0) })
    }

    /// True if the operation may be sent with GET.
    private var mayUseGET: Bool { options.usesGETForQueries && kind == .query && uploads.isEmpty }

    /// Returns the description of the first request.
    package func callDescription(_ settings: APIClient.Settings) throws(InvalidRequestError) -> CallDescription {
        let encoder = settings.configuration.coding.encoder ?? Coders.encoder
        var description = CallDescription(method: .post, path: path)
        description.headers = headers
        if !headers.keys.contains(where: { $0.lowercased() == "accept" }) { description.headers["Accept"] = accept }
        let form: GraphQLRequestContent.Form = sendsHash ? .hash : .document
        if mayUseGET {
            let items = try content.queryItems(form, encoder: encoder)
            let own = settings.configuration.query.items
            let length = description.intendedURL(settings).utf8.count + 1 + (own + items).encoded.utf8.count
            if length <= options.maximumURLBytes {
                description.method = .get
                description.query = items
                description.headers.merge(Self.preflightHeaders) { own, _ in own }
                return description
            }
        }
        if uploads.isEmpty {
            description.body = .bytes(try content.json(form, encoder: encoder), contentType: "application/json")
        } else {
            description.headers.merge(Self.preflightHeaders) { own, _ in own }
            try description.take(GraphQLUpload.form(uploads, content, encoder: encoder))
        }
        return description
    }

    /// Returns a described request with other parameters.
    ///
    /// - Parameters:
    ///   - form: The parameters.
    ///   - request: The request with the hash of the document.
    ///   - encoder: The encoder of the variables.
    ///   - usesGET: True to use GET if the request does.
    /// - Returns: The request.
    /// - Throws: `InvalidRequestError`.
    package func replacing(
        _ form: GraphQLRequestContent.Form, in request: TransportRequest, _ encoder: JSONEncoder, usesGET: Bool = true
    ) throws(InvalidRequestError) -> TransportRequest {
        var request = request
        if request.head.method == .get {
            // By their number: another encoding of the same variables may be different.
            let target = (request.head.path ?? "/").droppingQueryItems(content.hashItemCount)
            if usesGET {
                let items = try content.queryItems(form, encoder: encoder).encoded
                let longer = "\(target)\(target.contains("?") ? "&" : "?")\(items)"
                request.head.path = longer
                if request.head.urlString.utf8.count <= options.maximumURLBytes { return request }
            }
            request.head.path = target
            request.head.method = .post
        }
        request.body = .bytes(try content.json(form, encoder: encoder), contentType: "application/json")
        request.head.headerFields[.contentType] = "application/json"
        return request
    }
}

extension String {
    /// Returns a target without the last items of its query.
    fileprivate func droppingQueryItems(_ count: Int) -> String {
        guard let mark = firstIndex(of: "?") else { return self }
        let items = self[index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).dropLast(count)
        let path = String(self[..<mark])
        return items.isEmpty ? path : "\(path)?\(items.joined(separator: "&"))"
    }
}
