// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import ArgumentParser
import Simorgh
import SimorghCommand
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandArgumentsTests {
    private func description(
        _ arguments: [String], method: RequestMethod = .post
    ) throws -> RequestDescription {
        try RequestArguments.parse(arguments).description(method: method)
    }

    @Test("Options and arguments appear in the request in command-line order")
    func everything() throws {
        let request = try description([
            "https://a.example/x", "-H", "X-A: 1", "--header", "X-A:2", "--query", "a=b=c", "--query", "d=",
            "--form", "e=f&g", "--form", "h=-i", "--output", "o", "--timeout", "2.5", "--cacert", "ca", "-v",
        ])
        var expected = RequestDescription(method: .post, url: "https://a.example/x")
        let name = try #require(HTTPField.Name("X-A"))
        expected.fields = [HTTPField(name: name, value: "1"), HTTPField(name: name, value: "2")]
        expected.query = [QueryItem(name: "a", value: "b=c"), QueryItem(name: "d", value: "")]
        expected.body = .form([QueryItem(name: "e", value: "f&g"), QueryItem(name: "h", value: "-i")])
        expected.output = "o"
        expected.timeout = .milliseconds(2500)
        expected.certificates = "ca"
        expected.isVerbose = true
        #expect(request == expected)
    }

    @Test("Names end at the first colon or equals sign, even if the value starts with a combining mark")
    func marked() throws {
        let request = try description([
            "https://a.example/", "-H", "X-A:\u{301}1", "--query", "a=\u{301}b", "--user", "zal:\u{301}pw:",
        ])
        let part = try FormPart("f=@\u{301}a;type=text/csv", at: 0)
        #expect(part.name == "f" && part.content == .file("\u{301}a", type: "text/csv", fileName: nil))
        #expect(request.fields.map(\.value) == ["\u{301}1"])
        #expect(request.query == [QueryItem(name: "a", value: "\u{301}b")])
        #expect(request.credential == .basic(username: "zal", password: "\u{301}pw:"))
        let socket = try WebSocketArguments.parse(["wss://a.example/", "--user", "zal:\u{301}pw:"]).description()
        #expect(socket.credential == request.credential)
        var connection = ConnectionDescription()
        connection.proxy = "http://proxy.example:3128"
        connection.proxyUser = "zal:\u{301}pw"
        #expect(connection.route([:]).proxy == .url("http://zal:%CC%81pw@proxy.example:3128"))
    }

    @Test("--output-dir: a path that starts with / is absolute, even if the next character is a combining mark")
    func folder() throws {
        let job = try DownloadCommand.parse(["https://a.example/f", "--output-dir", "/\u{301}x"]).job()
        #expect(job.folder == "/\u{301}x/.simorgh-downloads")
    }

    @Test(
        "HTTP version options match curl's",
        arguments: [
            (["--http1"], TransportOptions.HTTPVersion.http1Only, ["--http1.1"]),
            (["--http1.1"], .http1Only, ["--http1.1"]), (["--http2"], .automatic, []),
            (["--http2-only"], .http2Only, ["--http2"]),
            (["--http2-prior-knowledge"], .http2PriorKnowledge, ["--http2-prior-knowledge"]), ([], .automatic, []),
        ])
    func version(arguments: [String], version: TransportOptions.HTTPVersion, curl: [String]) throws {
        let request = try description(["https://a.example/"] + arguments, method: .get)
        #expect(request.httpVersion == version)
        let wire = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/"))
        #expect(CurlCommand(request, transportRequest: wire).arguments.filter { $0.hasPrefix("--http") } == curl)
        #expect(throws: (any Error).self) { try description(["https://a.example/", "--http1", "--http2"]) }
    }

    @Test("An empty proxy variable counts as unset, as in curl; --noproxy overrides no_proxy and NO_PROXY")
    func bypass() {
        let environment = ["http_proxy": "http://proxy:1", "no_proxy": "", "NO_PROXY": "*"]
        var connection = ConnectionDescription()
        #expect(connection.route(environment).proxy == .environment(["http_proxy": "http://proxy:1", "no_proxy": "*"]))
        connection.noProxy = ""
        #expect(connection.route(environment).proxy == .environment(["http_proxy": "http://proxy:1"]))
        connection.proxy = "http://proxy:2"
        #expect(connection.route(environment).proxy == .url("http://proxy:2"))
        connection.noProxy = nil
        #expect(connection.route(environment).proxy == .url("http://proxy:2", bypass: "*"))
    }

    @Test(
        "The request body is text, a file or standard input",
        arguments: [
            (["--data", "-5"], RequestDescription.Body.text("-5")),
            (["--data", "@a b"], .source(.file("a b"))),
            (["--data", "@\u{301}a"], .source(.file("\u{301}a"))),
            (["--data", "@-"], .source(.standardInput)),
            (["--json", "-1.50"], .json("-1.50")),
            (["--json", "@f.json"], .jsonSource(.file("f.json"))),
            (["--json", "@-"], .jsonSource(.standardInput)),
            ([], .none),
        ])
    func bodies(arguments: [String], body: RequestDescription.Body) throws {
        #expect(try description(["localhost"] + arguments).body == body)
    }

    @Test(
        "Invalid argument combinations are rejected with a hint",
        arguments: [
            (["--json", "{a}"], "double quotes"),
            (["--json", "1", "--data", "2"], "--json and --data each set the whole body"),
            (["--form", "a=1", "--data", "2"], "--form and --data"),
            (["--form", "a"], "NAME=VALUE"),
            (["--query", "a=1", "--query", "b"], "number 2"),
            (["-H", "Secret"], "header 1 has no colon"),
            (["-H", "A B: 1"], "token"),
            (["-H", "A: 1\r\nB: 2"], "line break"),
            (["--timeout", "0"], "above 0"),
            (["--timeout", "-1"], "above 0"),
            (["--timeout", "nan"], "above 0"),
            (["--timeout", "inf"], "above 0"),
            (["--output", ""], "name of a file"),
        ])
    func refused(arguments: [String], hint: String) throws {
        let failure = try #require(throws: CommandError.self) { try description(["localhost"] + arguments) }
        #expect(failure.status == .usage)
        #expect(failure.message?.contains(hint) == true, "\(failure)")
        #expect(failure.message?.contains("\n") == false)
    }

    @Test("The error for an invalid header omits its value, which may be a credential")
    func secret() throws {
        let failure = try #require(throws: CommandError.self) {
            try description(["localhost", "-H", "Authorization Bearer s3cret"])
        }
        #expect(failure.message?.contains("s3cret") == false)
    }

    @Test("HEAD rejects options for a request body and for an output file", arguments: ["--data", "--output"])
    func headBody(option: String) throws {
        #expect(throws: CommandError.self) { try description(["localhost", option, "x"], method: .head) }
    }

    @Test(
        "A URL without a scheme uses https, except on localhost, which uses http",
        arguments: [
            ("example.com/a?b#c", "https://example.com/a?b#c"),
            ("example.com:8443", "https://example.com:8443"),
            ("localhost", "http://localhost"),
            ("LOCALHOST:80/x:y", "http://LOCALHOST:80/x:y"),
            ("127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
            ("[::1]", "http://[::1]"),
            ("[::1]:8080/", "http://[::1]:8080/"),
            ("[::2]:8080/", "https://[::2]:8080/"),
            ("localhost.evil.example", "https://localhost.evil.example"),
            ("localhost@evil.example", "https://localhost@evil.example"),
            ("127.0.0.1.evil.example/", "https://127.0.0.1.evil.example/"),
            ("http://example.com", "http://example.com"),
            ("http:/localhost/x", "http://localhost/x"),
            ("HTTPS:/a.example:8443/?u=http:/b", "HTTPS://a.example:8443/?u=http:/b"),
            ("http:///a.example/x", "http://a.example/x"),
            ("wss:/a.example", "wss://a.example"),
            ("http+unix://%2Frun%2Fa.sock/x", "http+unix://%2Frun%2Fa.sock/x"),
            ("a.example/?u=http://b", "https://a.example/?u=http://b"),
        ])
    func schemes(typed: String, url: String) throws {
        #expect(try TargetURL.complete(typed) == url)
    }

    @Test(
        "An unknown URL scheme is a usage error (exit 2)",
        arguments: ["ftp://localhost", "gopher:/a.example/x", "file:///etc/passwd", "hhtp://a.example", "localhost:/x"])
    func unknownScheme(typed: String) {
        let failure = #expect(throws: CommandError.self) { try TargetURL.complete(typed) }
        #expect(failure?.status == .usage)
    }

    @Test("An empty URL is rejected")
    func emptyURL() {
        #expect(throws: CommandError.self) { try TargetURL.complete("") }
    }

    private struct Page {
        let call: String
        let help: String
    }

    /// Returns the help of a command and of all its subcommands.
    private static func pages(below command: any ParsableCommand.Type, _ call: String) -> [Page] {
        var found: [Page] = []
        for part in command.configuration.subcommands {
            let name = call + " " + (part.configuration.commandName ?? "")
            found.append(Page(call: name, help: RootCommand.helpMessage(for: part, includeHidden: false, columns: 100)))
            found += pages(below: part, name)
        }
        return found
    }

    @Test("The help of each subcommand contains an example call")
    func examples() {
        let pages = Self.pages(below: RootCommand.self, "simorgh")
        #expect(pages.count > 15)
        for page in pages {
            let lines = page.help.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("  \(page.call)") }, "\(page.call) has no example")
        }
    }
}
#endif
