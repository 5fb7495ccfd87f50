// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghCommand
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandDisplayTests {
    @Test(
        "Credentials are redacted, whatever the case of the field name",
        arguments: [
            ("Authorization", "Bearer s3cret", "Bearer [hidden]"),
            ("authorization", "Basic s3cret", "Basic [hidden]"),
            ("AUTHORIZATION", "s3cret part", "[hidden]"),
            ("Authorization", "Bearer", "[hidden]"),
            ("Proxy-Authorization", "Digest s3cret", "Digest [hidden]"),
            ("Cookie", "a=s3cret; b=s3cret", "[hidden]"),
            ("Set-Cookie", "a=s3cret; Path=/", "[hidden]"),
            ("X-Api-Key", "s3cret", "[hidden]"),
            ("X-Vault-Token", "s3cret", "[hidden]"),
            ("X-Session-Id", "s3cret", "[hidden]"),
            ("Location", "https://u:s3cret@a.test/b?code=s3cret", "https://a.test/b?…"),
            ("Location", "/b#token=s3cret", "/b#…"),
            ("Access-Control-Allow-Credentials", "true", "true"),
            ("Accept", "text/plain", "text/plain"),
            ("X-Authorization-Hint", "none", "none"),
        ])
    func redaction(name: String, value: String, shown: String) throws {
        let name = try #require(HTTPField.Name(name))
        #expect(Redaction.shown(HTTPField(name: name, value: value)) == shown)
    }

    @Test(
        "Control characters from a server are escaped",
        arguments: ["\u{1B}[2J", "a\nb", "\u{9B}31m", "\u{202E}x", "\u{7F}"])
    func controls(text: String) {
        let shown = DisplayText.oneLine(text)
        #expect(shown.unicodeScalars.contains("\u{FFFD}"))
        #expect(!shown.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
        #expect(DisplayText.oneLine("grün 🕊 ok") == "grün 🕊 ok")
    }

    @Test("A record keeps its tabs and line ends, and loses characters that control a terminal")
    func record() {
        let text = "a\tb\nc\u{1B}[2J\u{7F}\u{9B}31m\u{202E}d\u{2066}e\r"
        #expect(DisplayText.record(text) == "a\tb\nc[2J31mde")
        #expect(DisplayText.record("grün 🕊 ok") == "grün 🕊 ok")
    }

    @Test("JSON for a terminal escapes control characters and keeps its meaning")
    func json() {
        let line = #"{"text":"a"# + "\u{9B}31m\u{7F}\u{202E}" + #"b🕊"}"#
        #expect(DisplayText.json(line) == #"{"text":"a\u009b31m\u007f\u202eb🕊"}"#)
        #expect(DisplayText.json(#"{"a":1}"#) == #"{"a":1}"#)
    }

    @Test(
        "A time is shown in milliseconds with one decimal place",
        arguments: [
            (Duration.zero, "0.0 ms"), (.microseconds(49), "0.0 ms"), (.microseconds(50), "0.1 ms"),
            (.microseconds(1949), "1.9 ms"), (.seconds(61), "61000.0 ms"),
        ])
    func times(duration: Duration, text: String) {
        #expect(DisplayText.milliseconds(duration) == text)
        #expect(DisplayText.milliseconds(nil) == "-")
    }

    @Test(
        "A status code is shown with its reason phrase",
        arguments: [(200, "200 OK"), (404, "404 Not Found"), (599, "599")])
    func status(code: Int, text: String) {
        #expect(StatusText.of(code) == text)
    }
}
#endif
