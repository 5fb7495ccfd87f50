// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension CallDescription {
    /// What a router describes, but for its body; `POST` unless it says otherwise.
    private init(uploadBy router: some NetworkRouter) throws(InvalidRequest) {
        self.init(method: router.method ?? .post, path: router.path)
        base = router.baseURLString
        version = router.version?.path
        pathIsPercentEncoded = router.pathIsPercentEncoded
        headers = router.headers ?? [:]
        if let parameters = router.queryParams { query = try QueryEncoder().encode(parameters) }
    }

    /// A router with a body of its own; one of a file comes late.
    package init(
        router: some NetworkRouter,
        body: RequestBody = .empty,
        lateBody: (@Sendable () throws(InvalidRequest) -> RequestBody)? = nil
    ) throws(InvalidRequest) {
        try self.init(uploadBy: router)
        guard router.params == nil else {
            throw InvalidRequest(
                .conflictingBodyTypes, "\(type(of: router)) has parameters besides the body to upload: keep one")
        }
        self.body = body
        self.lateBody = lateBody
        encoder = router.jsonEncoder
    }

    /// A router with a form; its parameters are the first fields.
    package init(router: some NetworkRouter, formFields: [MultipartFormField]) throws(InvalidRequest) {
        try self.init(uploadBy: router)
        var fields: [MultipartFormField] = []
        if let parameters = router.params {
            fields = try QueryEncoder().encode(parameters).map { .text(name: $0.name, value: $0.value ?? "") }
        }
        try take(fields + formFields)
        encoder = router.jsonEncoder
        // The type has to name the boundary.
        headers = headers.filter { $0.key.lowercased() != "content-type" }
    }
}
