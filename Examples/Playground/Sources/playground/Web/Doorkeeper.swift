// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Lets in the Playground's own page, and programs that have none.
///
/// The process calls whatever it is told to, so a page of another origin, open in the same browser, must not tell it:
/// not by a form, an image or a script (browsers say where those are from), nor by a name of its own that it has pointed
/// to this machine (which then stands where one of this machine's should).
struct Doorkeeper: HTTPResponder {
    let router: RouterResponder<BasicRequestContext>

    @concurrent
    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        if let refusal = Self.refusal(of: request.head) {
            return try Response.json(["message": refusal], status: .forbidden)
        }
        return try await router.respond(to: request, context: context)
    }

    /// What the browser says of the page that asks; programs do not send it.
    private static let site = HTTPField.Name("Sec-Fetch-Site")

    /// Why a request is not let in, in words; `nil` where it is.
    static func refusal(of head: HTTPRequest) -> String? {
        let authority = head.authority ?? ""
        let isOurs = ["127.0.0.1", "localhost", "[::1]"].contains { name in
            authority == name || authority.hasPrefix(name + ":")
        }
        guard isOurs else { return "the Playground is at 127.0.0.1, localhost or [::1], and has no other name" }
        if let origin = head.headerFields[.origin], origin != "http://\(authority)" {
            return "a page of \(origin.prefix(200)) asks, and the Playground answers its own alone"
        }
        // A link to the page may stand anywhere; what is behind the page is asked for by the page.
        let isPage = head.path == "/" || head.path?.hasPrefix("/?") == true
        guard !isPage, let name = site, let from = head.headerFields[name] else { return nil }
        let isOwn = from == "same-origin" || from == "none"
        return isOwn ? nil : "a page of another origin asks, and the Playground answers its own alone"
    }
}
