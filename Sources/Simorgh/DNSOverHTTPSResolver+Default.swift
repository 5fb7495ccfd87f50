// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghREST

extension DNSOverHTTPSResolver {
    /// Creates a resolver that sends its queries over the process's shared transport.
    ///
    /// - Parameters:
    ///   - url: The URL of the DNS server, with `https`; the end `{?dns}` of a URI template is ignored.
    ///   - options: The options.
    /// - Throws: `InvalidRequestError` if the URL cannot be used.
    public convenience init(url: String, options: Options = Options()) throws {
        try self.init(url: url, transport: DefaultTransport.shared, options: options)
    }
}
