// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh

/// `simorgh query URL`.
package struct QueryCommand: RequestCommand {
    package static let method = RequestMethod.query
    package static let configuration = describe(
        "Sends a query to a URL with QUERY (RFC 10008): safe and repeatable like a GET, with a body.",
        examples: [
            #"query api.example.com/contacts --json '{"limit": 10}'"#,
            "query api.example.com/contacts --data @query.sql --header 'Content-Type: application/sql'",
        ])

    @OptionGroup package var arguments: RequestArguments

    package init() {}
}
#endif
