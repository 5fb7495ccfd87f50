// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghRealtime
import SimorghSupport
import Testing

/// Strings are split by bytes, like other parsers do: a combining mark after a separator hides nothing.
@Suite("Splitting of strings before combining marks", .timeLimit(.minutes(5)))
struct CuttingTests {
    /// A combining mark, which forms one character with the preceding one.
    private static let mark = "\u{301}"

    @Test("A string is split at every separator, also before a combining mark")
    func cutting() {
        let text = "/a/\(Self.mark)b//c"
        func pieces(_ cut: [Substring]) -> [String] { cut.map { String($0) } }
        #expect(pieces(text.cut(at: "/")) == ["", "a", "\(Self.mark)b", "", "c"])
        #expect(pieces(text.cut(at: "/", keepsEmpty: false)) == ["a", "\(Self.mark)b", "c"])
        #expect(pieces(text.cut(at: "/", atMost: 2)) == ["", "a", "\(Self.mark)b//c"])
        #expect(pieces("".cut(at: "/")) == [""])
        #expect("".cut(at: "/", keepsEmpty: false).isEmpty)
        let pair = "a=\(Self.mark)b=c"
        let halves = pair[...].halves(at: "=")
        #expect(pieces([halves?.before, halves?.behind].compactMap { $0 }) == ["a", "\(Self.mark)b=c"])
        #expect("abc"[...].halves(at: "=")?.before == nil)
        #expect("@\(Self.mark)b".behind(first: "@").map { String($0) } == "\(Self.mark)b")
        #expect("b@".behind(first: "@") == nil && "".behind(first: "@") == nil)
    }

    @Test(
        "The folder of a path ends at the last slash, also before a combining mark",
        arguments: [
            ("/a/\(mark)b", "/a"), ("/\(mark)b", ""), ("a/\(mark)b/c", "a/\(mark)b"), ("/a/", "/a"), ("a", nil),
            ("", nil),
        ] as [(String, String?)])
    func folder(path: String, folder: String?) { #expect(path.before(last: "/").map { String($0) } == folder) }

    @Test("A log file name with a folder is a path, also before a combining mark")
    func logFile() {
        let home = ["HOME": "/home/zal", "SIMORGH_LOG_FILE": "logs/\(Self.mark)net"]
        #expect(LogFilePath.path(in: home) == "logs/\(Self.mark)net")
    }

    #if os(Linux)
    @Test("An absolute folder is recognized, also if its name begins with a combining mark")
    func absolute() {
        let folder = "/\(Self.mark)x"
        #expect(StateFolder(environment: ["XDG_STATE_HOME": folder, "HOME": "/h"], user: 7).path == folder)
        #expect(StateFolder(environment: ["HOME": folder], user: 7).path == "\(folder)/.local/state")
        let environment = ["SIMORGH_LOG_FILE": "net.log", "HOME": "/h", "XDG_CACHE_HOME": folder]
        #expect(LogFilePath.path(in: environment) == "\(folder)/net.log")
    }
    #endif

    @Test("A journal stores a file in its download's folder by name, and any other file by path")
    func journal() {
        let folder = DownloadFolder(in: "/downloads", id: UUID())
        for name in ["a", "\(Self.mark)a"] {
            #expect(folder.stored("\(folder.path)/\(name)") == name)
            #expect(folder.found(name) == "\(folder.path)/\(name)")
            #expect(folder.stored("/\(name)") == "/\(name)")
            #expect(folder.found("/\(name)") == "/\(name)")
        }
    }

    @Test("A quote does not end a quoted shell word, also before a combining mark")
    func quoting() {
        let quoted = ShellQuoting.quoted("a'\(Self.mark); b")
        #expect(Array(quoted.utf8) == Array(#"'a'\''"#.utf8) + Array("\(Self.mark); b'".utf8))
    }

    @Test("A secret in a path or a query is hidden, and nothing else")
    func redaction() {
        let rules = RedactionRules.standard
        func url(_ value: String) -> String {
            let secret = "\(Self.mark)password=\(value)"
            return "https://a.test/x;a=1;\(secret)/\(Self.mark)y?a=1&\(secret)"
        }
        #expect(rules.shown(url: url("s3cret")) == url("[hidden]"))
        for mark in ["?", "#"] {
            #expect(Redaction.shown(url: "https://a.test/x\(mark)\(Self.mark)s3cret") == "https://a.test/x\(mark)…")
        }
        #expect(rules.shown(form: "token=s3cret&\(Self.mark)x=1") == "token=[hidden]&\(Self.mark)x=1")
        #expect(
            Redaction.shown(protocols: "access_token, s3cret,\(Self.mark)chat")
                == "access_token, [hidden],\(Self.mark)chat")
    }

    @Test(
        "A subprotocol is hidden if a part of its name announces a token",
        arguments: [
            ("bearer.TOKEN9", "[hidden]"), ("Bearer-abc", "[hidden]"), ("chat, jwt.abc", "chat, [hidden]"),
            ("graphql-transport-ws", "graphql-transport-ws"), ("chat.v1", "chat.v1"), ("mqtt", "mqtt"),
            ("v4.channel.k8s.io", "v4.channel.k8s.io"), ("bearer", "bearer"),
        ])
    func subprotocols(names: String, shown: String) {
        #expect(Redaction.shown(protocols: names) == shown)
    }

    @Test(
        "Secrets of a request are recognized before and after combining marks",
        arguments: [
            ("/?token=s3cretvalue&\(mark)x=1", ""), ("/?\(mark)a=1&token=s3cretvalue#\(mark)", ""),
            ("/a;sessionid=s3cretvalue/\(mark)b", ""), ("/", "sid=s3cretvalue;\(mark)x=1"),
        ])
    func secrets(path: String, cookies: String) {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: path)
        if !cookies.isEmpty { head.headerFields[.cookie] = cookies }
        let redactor = Redactor(.standard, request: TransportRequest(head: head))
        #expect(redactor.text("you sent s3cretvalue to us") == "you sent [hidden] to us")
    }

    @Test("The user of a proxy URL ends at the first colon, and its host at the first slash")
    func proxy() throws {
        let proxy = try Proxy("http://zal:\(Self.mark)pw:\(Self.mark)@proxy.test:3128/\(Self.mark)")
        #expect(proxy.user == Array("zal".utf8) && proxy.password == Array("\(Self.mark)pw:\(Self.mark)".utf8))
        #expect(proxy.host == "proxy.test" && proxy.port == 3128)
    }

    @Test("Only the named query item is removed")
    func query() {
        var target = QueryTarget("/a?k=1&\(Self.mark)b=2")
        target.remove("k")
        #expect(target.text == "/a?\(Self.mark)b=2")
    }

    @Test("An unclosed quote hides no list members")
    func members() { #expect(FieldList.members(of: "\"a, b,\(Self.mark)c") == ["\"a", "b", "\(Self.mark)c"]) }

    @Test("A response accepts an upgrade, whatever else its Connection field lists")
    func upgrade() throws {
        let handshake = WebSocketHandshake(key: Array("the sample nonce".utf8))
        let fields: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade,\(Self.mark)x",
            .secWebSocketAccept: WebSocketHandshake.answer(to: "dGhlIHNhbXBsZSBub25jZQ=="),
        ]
        _ = try handshake.check(fields)
    }

    @Test("The path of a version has one slash between segments")
    func version() {
        let version = APIVersion.custom(path: "/a//\(Self.mark)b/", version: 3)
        #expect(version.path == "/a/\(Self.mark)b/v3")
    }

    @Test("All folders of a path are created")
    func folders() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("cut-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        try DownloadFileSystem.makeFolder("\(root)/a/\(Self.mark)b/c")
        #expect(FileManager.default.fileExists(atPath: "\(root)/a/\(Self.mark)b/c"))
    }

    @Test(
        "A download belongs to the host of its request",
        arguments: [
            ("https://a.test/\(mark)@b.test/x", "a.test", "https://a.test/\(mark)@b.test/x"),
            ("https://a.test?\(mark)@b.test/x", "a.test", "https://a.test/?\(mark)@b.test/x"),
            ("https://a.test/x#\(mark)y", "a.test", "https://a.test/x"),
        ])
    func hosts(url: String, host: String, normalized: String) {
        #expect(DownloadHost.name(of: url) == host)
        #expect(DownloadHost.origin(of: url) == "https://\(host)")
        #expect(DownloadHost.normalized(url) == normalized)
    }

    @Test(
        "A download is named after the last path segment",
        arguments: [("https://a.test/x/\(mark)y", "\(mark)y"), ("https://a.test/\(mark)y?\(mark)", "\(mark)y")])
    func segments(url: String, name: String) { #expect(DownloadFileName.lastSegment(of: url) == name) }
}
