// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension CallDescription {
    /// Creates the description of a router without its body.
    ///
    /// Default method: `POST`.
    private init(uploadBy router: some NetworkRouter) throws(InvalidRequestError) {
        self.init(method: router.method ?? .post, path: router.path)
        base = router.baseURLString
        version = router.version?.path
        pathIsPercentEncoded = router.pathIsPercentEncoded
        headers = router.headers ?? [:]
        if let parameters = router.queryParams { query = try QueryEncoder().encode(parameters) }
    }

    /// Creates the description of a router with a separate body, or with a function that makes the body of a file.
    package init(
        router: some NetworkRouter,
        body: RequestBody = .empty,
        deferredBody: (@Sendable () throws(InvalidRequestError) -> RequestBody)? = nil
    ) throws(InvalidRequestError) {
        try self.init(uploadBy: router)
        guard router.params == nil else {
            throw InvalidRequestError(
                .conflictingBodyTypes,
                message: "\(type(of: router)) has parameters besides the body to upload: keep one")
        }
        self.body = body
        self.deferredBody = deferredBody
        encoder = router.jsonEncoder
    }

    /// Creates the description of a router with a form; the router's parameters are the first fields.
    package init(router: some NetworkRouter, formFields: [MultipartFormField]) throws(InvalidRequestError) {
        try self.init(uploadBy: router)
        var fields: [MultipartFormField] = []
        if let parameters = router.params {
            fields = try QueryEncoder().encode(parameters).map { .text(name: $0.name, value: $0.value ?? "") }
        }
        try take(fields + formFields)
        encoder = router.jsonEncoder
        // The Content-Type of the form must contain its boundary.
        headers = headers.filter { $0.key.lowercased() != "content-type" }
    }
}
