// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore
import SimorghSupport

extension HTTPRequest {
    /// A GET without a target, for a description that has none.
    package static var get: HTTPRequest { HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil) }
}

extension HTTPFields {
    /// Creates header fields from those of a HAR file, without pseudo-header fields and invalid names.
    package init(records: [HARDocument.Record]) {
        self.init()
        for record in records {
            if let name = HTTPField.Name(record.name) { append(HTTPField(name: name, value: record.value)) }
        }
    }
}

extension RequestBody {
    /// Returns a body in place of one that is not known, or not as a whole.
    package static func missing(contentType: String?) -> RequestBody {
        .stream(contentType: contentType) { AsyncThrowingStream<Data, any Error> { $0.finish() } }
    }
}

extension TransportRequest {
    /// The fields that a client adds itself, which a copied request must not repeat.
    private static let automatic: Set<String> = ["host", "content-length", "connection", "transfer-encoding"]

    /// The schemes of recorded requests, including those of Unix sockets.
    private static let schemes = BaseURL.httpSchemes.union(["ws", "wss", "ws+unix", "wss+unix"])

    /// Creates the request that a HAR entry describes; `nil` if its URL or method is invalid.
    ///
    /// A body that the entry does not have as a whole is a stream without bytes, so that no export omits it silently.
    package init?(described request: HARDocument.Request) {
        guard let method = HTTPRequest.Method(request.method),
            let url = try? BaseURL.absolute(request.url, schemes: Self.schemes)
        else { return nil }
        var head = HTTPRequest(
            method: method, scheme: url.base.scheme, authority: url.base.authority,
            path: Self.target(of: request.url))
        head.headerFields = HTTPFields(
            records: request.headers.filter { !Self.automatic.contains($0.name.lowercased()) })
        self.init(head: head)
        guard let postData = request.postData else { return }
        // Another program can write a type that is no field value.
        let type = HTTPField.isValidValue(postData.mimeType) ? postData.mimeType : nil
        if postData.comment != nil {
            body = .missing(contentType: type)
        } else if !postData.text.isEmpty {
            body = .bytes(Data(postData.text.utf8), contentType: type)
        }
    }

    /// Returns the path and the query of a URL as they are, without escaping the replacement of a secret.
    package static func target(of url: String) -> String {
        let parts = URLReference(url)
        let path = parts.path.isEmpty ? "/" : String(parts.path)
        return path + (parts.query.map { "?\($0)" } ?? "")
    }
}
