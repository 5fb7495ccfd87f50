// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghInspector

extension FileExchange {
    /// An exchange without a response.
    static var empty: FileExchange { FileExchange(entry: .answered(with: 0)) }
}

extension HARDocument.Entry {
    /// Returns an entry of a GET.
    static func answered(
        with status: Int, url: String = "https://a/", headers: [HARDocument.Record] = [], body: String? = nil
    ) -> HARDocument.Entry {
        HARDocument.Entry(
            startedDateTime: "2026-01-01T00:00:00.500Z", time: 20,
            request: HARDocument.Request(
                method: "GET", url: url, httpVersion: "HTTP/2", headers: headers, queryString: [], postData: nil,
                bodySize: 0),
            response: HARDocument.Response(
                status: status, statusText: "", httpVersion: "HTTP/2", headers: [],
                content: HARDocument.Content(
                    size: Int64(body?.utf8.count ?? 0), mimeType: "application/json; charset=utf-8", text: body),
                redirectURL: "", bodySize: -1),
            timings: HARDocument.Timings(
                blocked: 1, dns: 2, connect: 9, send: 0.5, wait: 6, receive: 1.5, ssl: 5))
    }
}
