// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

extension URLRequest {
    /// Creates a request from a request head.
    init(head: HTTPRequest) throws(InvalidRequestError) {
        guard let url = URL(string: head.urlString), url.host != nil else {
            throw InvalidRequestError(
                .invalidURL, message: "Foundation cannot parse this URL: \(RedactedURL.withoutQuery(head.urlString))")
        }
        self.init(url: url)
        httpMethod = head.method.rawValue
        for field in head.headerFields {
            // URLRequest joins fields of one name by a comma, which a Cookie field does not allow (RFC 6265, section
            // 5.4).
            if field.name == .cookie, let before = value(forHTTPHeaderField: "Cookie") {
                setValue("\(before); \(field.value)", forHTTPHeaderField: "Cookie")
            } else if field.name.canonicalName == "host" {
                setValue(field.value, forHTTPHeaderField: "Host")
            } else {
                addValue(field.value, forHTTPHeaderField: field.name.rawName)
            }
        }
    }

    /// Creates a request whose time limits and cache are those of the client instead of the session's.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - timeout: The time of silence after which the session ends the task.
    /// - Throws: An error if Foundation cannot parse the URL, or a field is not text.
    init(exchange head: HTTPRequest, timeout: Duration) throws(TransportError) {
        do throws(InvalidRequestError) {
            var head = head
            head.headerFields = try head.headerFields.asText()
            self = try URLRequest(head: head)
        } catch {
            throw .invalid(error)
        }
        timeoutInterval = timeout / .seconds(1)
        cachePolicy = .reloadIgnoringLocalCacheData
    }
}
