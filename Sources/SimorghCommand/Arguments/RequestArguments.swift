// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh
import SimorghSupport

/// The arguments of every request command.
package struct RequestArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The URL of the request.",
            discussion: "Without a scheme it is https://, and http:// for localhost, 127.0.0.1 and [::1]."))
    package var url: String

    @OptionGroup package var header: HeaderArguments

    @Option(
        name: .customLong("query"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A query item, percent-encoded for you; repeat it for more.", valueName: "name=value"))
    package var query: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A JSON body: the text, @FILE, or @- for standard input.", valueName: "text|@file"))
    package var json: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A form field, percent-encoded for you; repeat it for more.", valueName: "name=value"))
    package var form: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A body sent as is: the text, @FILE, or @- for standard input.", valueName: "text|@file"))
    package var data: String?

    @Option(
        name: [.customShort("F"), .customLong("part")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A field or file of a multipart form; repeat it for more.",
            discussion: "To set the type and name of a file: 'cover=@a.bin;type=image/png;filename=a.png'.",
            valueName: "name=value|name=@file"))
    package var parts: [String] = []

    @Option(
        help: ArgumentHelp(
            "Save the body of a successful response to this file; - is standard output.",
            discussion: "The body goes to a temporary file, which is renamed at the end: the file is always complete.",
            valueName: "file"),
        completion: .file())
    package var output: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The timeout of the whole operation.", valueName: "seconds"))
    package var timeout: Double?

    @OptionGroup package var version: VersionArguments

    @Flag(
        name: [.customShort("v"), .long], help: "Show both heads and the time of each phase; credentials are redacted.")
    package var verbose = false

    @OptionGroup(title: "Credentials, retries, redirects, cookies") package var session: SessionArguments

    @OptionGroup(title: "Connections") package var connection: ConnectionArguments

    @Flag(help: "Print the request as a curl command, including credentials, without sending it.")
    package var curl = false

    package init() {}

    /// Returns the request that the arguments describe.
    ///
    /// - Parameter method: The method.
    /// - Returns: The request.
    /// - Throws: ``CommandError`` that names the invalid argument.
    package func description(method: RequestMethod) throws(CommandError) -> RequestDescription {
        var request = RequestDescription(method: method, url: try TargetURL.withoutUser(url))
        request.fields.append(contentsOf: try header.fields())
        request.query = try Self.items(query, of: "--query")
        request.body = try body(method)
        request.output = output
        try session.apply(to: &request)
        try connection.apply(to: &request)
        // A cookie file is in curl's format or in JSON.
        if curl, let jar = request.cookieJar, FileBytes.prefix(of: jar, upTo: 1)?.first == UInt8(ascii: "{") {
            throw .usage("the file of --cookie-jar is JSON, which curl does not read: leave out --curl or --cookie-jar")
        }
        if curl, case .sigV4(let signature) = request.credential, signature.user == nil {
            throw .usage(
                "curl takes the access key from its command line: use --aws-sigv4 with --user, or without --curl")
        }
        guard !curl || request.oauth == nil else {
            throw .usage("curl cannot refresh the token of --oauth: leave out --curl or --oauth")
        }
        request.isVerbose = verbose
        request.httpVersion = version.choice
        if let timeout { try request.setTimeout(seconds: timeout) }
        if output != nil, method == .head {
            throw .usage("a HEAD request has no body to save: leave out --output, and redirect standard output")
        }
        if output?.isEmpty == true { throw .usage("--output takes the name of a file, or - for standard output") }
        return request
    }

    private func body(_ method: RequestMethod) throws(CommandError) -> RequestDescription.Body {
        let given = [
            json == nil ? nil : "--json", form.isEmpty ? nil : "--form", data == nil ? nil : "--data",
            parts.isEmpty ? nil : "-F",
        ].compactMap(\.self)
        guard given.count < 2 else {
            throw .usage("\(given.joined(separator: " and ")) each set the whole body: use only one of them")
        }
        guard given.isEmpty || method != .head else {
            throw .usage("a HEAD request has no body: leave out \(given[0])")
        }
        if let json { return try Self.json(json) }
        if let data { return Self.source(of: data).map { .source($0) } ?? .text(data) }
        if !parts.isEmpty {
            var fields: [FormPart] = []
            for (index, text) in parts.enumerated() { fields.append(try FormPart(text, at: index)) }
            return .parts(fields)
        }
        return form.isEmpty ? .none : .form(try Self.items(form, of: "--form"))
    }

    private static func json(_ text: String) throws(CommandError) -> RequestDescription.Body {
        if let source = source(of: text) { return .jsonSource(source) }
        guard PrettyJSON.isJSON(text) else {
            throw .usage("--json takes valid JSON, such as '{\"name\": \"Zal\"}': strings and names need double quotes")
        }
        return .json(text)
    }

    private static func source(of text: String) -> RequestDescription.Source? {
        guard let path = text.behind(first: "@") else { return nil }
        return path == "-" ? .standardInput : .file(String(path))
    }

    static func items(_ texts: [String], of option: String) throws(CommandError) -> [QueryItem] {
        var items: [QueryItem] = []
        for (index, text) in texts.enumerated() {
            guard let halves = text[...].halves(at: "=") else {
                throw .usage("\(option) takes NAME=VALUE: number \(index + 1) has no equals sign")
            }
            items.append(QueryItem(name: String(halves.before), value: String(halves.behind)))
        }
        return items
    }
}
#endif
