// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The response to a browser: fixed text, without anything of the request.
enum LoopbackPage {
    /// Returns a whole response.
    ///
    /// - Parameter status: The status code.
    /// - Returns: The bytes.
    static func bytes(status: Int) -> [UInt8] {
        let text =
            switch status {
            case 200: "The program has received the answer. You can close this window."
            case 400: "This answer does not belong to the sign-in. Return to the program."
            default: "Not found."
            }
        let page = "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Sign-in</title><p>\(text)\n"
        let reason =
            [200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed"][status]
            ?? "Refused"
        // The URL of the page has the code: it must not be stored or sent to others.
        let head = """
            HTTP/1.1 \(status) \(reason)\r
            Content-Type: text/html; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r
            Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            X-Content-Type-Options: nosniff\r
            Connection: close\r
            \r

            """
        return Array((head + page).utf8)
    }
}
