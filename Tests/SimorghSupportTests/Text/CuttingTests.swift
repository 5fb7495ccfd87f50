// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghRealtime
import SimorghSupport
import Testing

/// Texts are cut where whoever else reads their bytes cuts them: a mark that combines with a separator hides nothing.
@Suite("Cutting", .timeLimit(.minutes(5)))
struct CuttingTests {
    /// A mark that makes one character with what stands before it.
    private static let mark = "\u{301}"

    @Test("A text is cut at every separator, whatever stands behind it")
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
        "A path's folder ends at the last slash, whatever the file's name begins with",
        arguments: [
            ("/a/\(mark)b", "/a"), ("/\(mark)b", ""), ("a/\(mark)b/c", "a/\(mark)b"), ("/a/", "/a"), ("a", nil),
            ("", nil),
        ] as [(String, String?)])
    func folder(path: String, folder: String?) { #expect(path.before(last: "/").map { String($0) } == folder) }

    @Test("A log's name with a folder is a path, whatever its file's name begins with")
    func logFile() {
        let home = ["HOME": "/home/zal", "SIMORGH_LOG_FILE": "logs/\(Self.mark)net"]
        #expect(LogFilePath.path(in: home) == "logs/\(Self.mark)net")
    }

    #if os(Linux)
    @Test("A folder from the root is one, whatever its name begins with")
    func absolute() {
        let folder = "/\(Self.mark)x"
        #expect(StateFolder(environment: ["XDG_STATE_HOME": folder, "HOME": "/h"], user: 7).path == folder)
        #expect(StateFolder(environment: ["HOME": folder], user: 7).path == "\(folder)/.local/state")
        let environment = ["SIMORGH_LOG_FILE": "net.log", "HOME": "/h", "XDG_CACHE_HOME": folder]
        #expect(LogFilePath.path(in: environment) == "\(folder)/net.log")
    }
    #endif

    @Test("A journal has a file of its download without the folder, and any other whole")
    func journal() {
        let folder = DownloadFolder(in: "/downloads", id: UUID())
        for name in ["a", "\(Self.mark)a"] {
            #expect(folder.stored("\(folder.path)/\(name)") == name)
            #expect(folder.found(name) == "\(folder.path)/\(name)")
            #expect(folder.stored("/\(name)") == "/\(name)")
            #expect(folder.found("/\(name)") == "/\(name)")
        }
    }

    @Test("A quote ends no word of a shell's, whatever stands behind it")
    func quoting() {
        let quoted = ShellQuoting.quoted("a'\(Self.mark); b")
        #expect(Array(quoted.utf8) == Array(#"'a'\''"#.utf8) + Array("\(Self.mark); b'".utf8))
    }

    @Test("A secret in a path or a query is hidden, and nothing else with it")
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
        "The name of a subprotocol is hidden if a part of it says that a token follows",
        arguments: [
            ("bearer.TOKEN9", "[hidden]"), ("Bearer-abc", "[hidden]"), ("chat, jwt.abc", "chat, [hidden]"),
            ("graphql-transport-ws", "graphql-transport-ws"), ("chat.v1", "chat.v1"), ("mqtt", "mqtt"),
            ("v4.channel.k8s.io", "v4.channel.k8s.io"), ("bearer", "bearer"),
        ])
    func subprotocols(names: String, shown: String) {
        #expect(Redaction.shown(protocols: names) == shown)
    }

    @Test(
        "A request's secret is known for what it is",
        arguments: [
            ("/?token=s3cretvalue&\(mark)x=1", ""), ("/?\(mark)a=1&token=s3cretvalue#\(mark)", ""),
            ("/a;sessionid=s3cretvalue/\(mark)b", ""), ("/", "sid=s3cretvalue;\(mark)x=1"),
        ])
    func secrets(path: String, cookies: String) {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: path)
        if !cookies.isEmpty { head.headerFields[.cookie] = cookies }
        let redactor = Redactor(.standard, TransportRequest(head: head))
        #expect(redactor.text("you sent s3cretvalue to us") == "you sent [hidden] to us")
    }

    @Test("The user of a proxy ends at the first colon, and its host at the first slash")
    func proxy() throws {
        let proxy = try Proxy("http://zal:\(Self.mark)pw:\(Self.mark)@proxy.test:3128/\(Self.mark)")
        #expect(proxy.user == Array("zal".utf8) && proxy.password == Array("\(Self.mark)pw:\(Self.mark)".utf8))
        #expect(proxy.host == "proxy.test" && proxy.port == 3128)
    }

    @Test("An item of a query is taken out alone")
    func query() {
        var target = QueryTarget("/a?k=1&\(Self.mark)b=2")
        target.remove("k")
        #expect(target.text == "/a?\(Self.mark)b=2")
    }

    @Test("A quote that nobody closes hides no member of a list")
    func members() { #expect(FieldList.members(of: "\"a, b,\(Self.mark)c") == ["\"a", "b", "\(Self.mark)c"]) }

    @Test("An answer agrees to an upgrade, whatever else its field lists")
    func upgrade() throws {
        let handshake = WebSocketHandshake(key: Array("the sample nonce".utf8))
        let fields: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade,\(Self.mark)x",
            .secWebSocketAccept: WebSocketHandshake.answer(to: "dGhlIHNhbXBsZSBub25jZQ=="),
        ]
        _ = try handshake.check(fields)
    }

    @Test("A version's path has one slash between its segments")
    func version() {
        let version = APIVersion.custom(path: "/a//\(Self.mark)b/", version: 3)
        #expect(version.path == "/a/\(Self.mark)b/v3")
    }

    @Test("The folders of a path are all made")
    func folders() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("cut-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        try DownloadFileSystem.makeFolder("\(root)/a/\(Self.mark)b/c")
        #expect(FileManager.default.fileExists(atPath: "\(root)/a/\(Self.mark)b/c"))
    }

    @Test(
        "A download counts for the host that is asked",
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
        "A download is named after the last segment",
        arguments: [("https://a.test/x/\(mark)y", "\(mark)y"), ("https://a.test/\(mark)y?\(mark)", "\(mark)y")])
    func segments(url: String, name: String) { #expect(DownloadFileName.lastSegment(of: url) == name) }
}
