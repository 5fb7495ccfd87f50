// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Route {
    /// Multipart bodies, read as they come and echoed in a summary.
    package static let uploads: [Route] = ["POST", "PUT"].map { method in
        Route(method, "/upload", intake: .multipart) { request in
            guard let upload = request.upload else { return .error(400, "no multipart body came") }
            if let failure = upload.failure { return .error(400, failure) }
            let parts = upload.parts.map { part in
                EchoJSON.object([
                    ("name", text(part.name)), ("filename", text(part.filename)),
                    ("content_type", text(part.contentType)), ("size", .int(Int(part.size))),
                    ("sha256", .string(part.sha256)), ("text", text(part.text)),
                ])
            }
            return .json(.object([("parts", .array(parts)), ("headers", headers(of: request))]))
        }
    }

    private static func text(_ text: String?) -> EchoJSON { text.map { .string($0) } ?? .null }
}
