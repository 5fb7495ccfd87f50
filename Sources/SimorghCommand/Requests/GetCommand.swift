// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh
import SimorghREST

/// `simorgh get URL`.
package struct GetCommand: RequestCommand {
    package static let method = RequestMethod.get
    package static let configuration = describe(
        "Fetches a URL.",
        examples: [
            "get api.example.com/users --query page=2",
            "get https://api.example.com/me --bearer @token --retry 3",
            "get https://example.com/report.pdf --location --output report.pdf",
            "get https://api.github.com/users/apple/repos --paginate",
        ])

    @OptionGroup package var arguments: RequestArguments
    @OptionGroup(title: "Entity tags") package var tags: ETagArguments

    @Flag(
        help: ArgumentHelp(
            "Fetch all pages of a list, along its Link header fields.",
            discussion: "JSON arrays become one array. 1,000 pages at most; a page at another origin is an error."))
    package var paginate = false

    package init() {}

    package func run() async throws {
        var request = try arguments.description(method: Self.method)
        try tags.apply(to: &request)
        if paginate { try checkPages(request) }
        let exchange = RequestExchange(request: request, console: .standard)
        guard !arguments.curl else { return try await exchange.printCurl() }
        try await paginate ? exchange.runPages() : exchange.run()
    }

    /// Refuses arguments that are about one response: each page has a tag and ranges of its own.
    private func checkPages(_ request: RequestDescription) throws(CommandError) {
        guard tags.etagSave == nil, tags.etagCompare == nil else {
            throw .usage("--paginate excludes --etag-save and --etag-compare: each page has a tag of its own")
        }
        if let field = request.fields.first(where: { PageFields.ofFirstPage.contains($0.name) }) {
            throw .usage("-H \(field.name.rawName): --paginate would send this field with every page")
        }
    }
}
#endif
