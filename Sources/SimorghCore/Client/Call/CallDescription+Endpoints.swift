// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension CallDescription {
    /// Creates the description of a router, with its models encoded.
    package init(router: some NetworkRouter, settings: APIClient.Settings) throws(InvalidRequestError) {
        self.init(method: router.method ?? .get, path: router.path)
        base = router.baseURLString
        version = router.version?.path
        pathIsPercentEncoded = router.pathIsPercentEncoded
        headers = router.headers ?? [:]
        if let parameters = router.queryParams { query = try QueryEncoder().encode(parameters) }
        if let parameters = router.params, ![.get, .head, .delete].contains(method) {
            if takesForm() {
                body = .form(fields: try QueryEncoder().encode(parameters))
            } else {
                let encoder = router.jsonEncoder ?? settings.configuration.coding.encoder ?? Coders.encoder
                let codecs = try settings.codecs?.get()
                let type = codecs == nil ? nil : headers.first { $0.key.lowercased() == "content-type" }?.value
                body = try .value(parameters, as: type, with: encoder, codecs: codecs)
            }
        }
    }

    /// Creates the description of a request, which is a router that can have another kind of body.
    package init(request: some NetworkRequest, settings: APIClient.Settings) throws(InvalidRequestError) {
        try self.init(router: request, settings: settings)
        let own = request.body
        let fields = request.multipart
        guard [!body.isEmpty, own != nil, fields != nil].count(where: { $0 }) < 2 else {
            throw InvalidRequestError(
                .conflictingBodyTypes,
                message: "\(type(of: request)) has more than one of parameters, a body and multipart fields: keep one")
        }
        if let own { body = own }
        if let fields { try take(fields) }
        self.encoder = request.jsonEncoder
    }

    /// Returns true if the header fields specify a form, and removes `Content-Type`, because the form adds its own.
    ///
    /// `multipart/form-data` without a boundary also specifies a form: the header enums name this value `formData`.
    private mutating func takesForm() -> Bool {
        guard let field = headers.first(where: { $0.key.lowercased() == "content-type" }) else { return false }
        let type = field.value.lowercased()
        guard type.hasPrefix("application/x-www-form-urlencoded") || type == "multipart/form-data" else { return false }
        headers[field.key] = nil
        return true
    }
}
