// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// A responder that admits requests of the Playground's own page and of programs, and refuses other pages (CSRF).
///
/// The process calls any URL it is given, so a page of another origin in the same browser must not reach it: neither
/// by a form, an image or a script (browsers send `Origin` and `Sec-Fetch-Site`), nor by DNS rebinding, where a
/// foreign name resolves to this machine (the `Host` field then has that name).
struct SameOriginResponder: HTTPResponder {
    let router: RouterResponder<BasicRequestContext>

    @concurrent
    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        if let refusal = Self.refusal(of: request.head) {
            return try Response.json(["message": refusal], status: .forbidden)
        }
        return try await router.respond(to: request, context: context)
    }

    /// The relation of the requesting page to this server, sent by browsers only.
    private static let site = HTTPField.Name("Sec-Fetch-Site")

    /// Returns the reason for refusing a request, or `nil` if it is admitted.
    static func refusal(of head: HTTPRequest) -> String? {
        let authority = head.authority ?? ""
        let isOurs = ["127.0.0.1", "localhost", "[::1]"].contains { name in
            authority == name || authority.hasPrefix(name + ":")
        }
        guard isOurs else { return "the Playground answers only at 127.0.0.1, localhost or [::1]" }
        if let origin = head.headerFields[.origin], origin != "http://\(authority)" {
            return "requests from pages of \(origin.prefix(200)) are refused"
        }
        // Any site may link to the page; the API behind it is only for the page.
        let isPage = head.path == "/" || head.path?.hasPrefix("/?") == true
        guard !isPage, let name = site, let from = head.headerFields[name] else { return nil }
        let isOwn = from == "same-origin" || from == "none"
        return isOwn ? nil : "requests from pages of other origins are refused"
    }
}
