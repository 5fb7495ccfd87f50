// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CookieLimitTests {
    private let now = CookieJarTests.now
    private let site = "https://www.example.com/"

    private func names(_ jar: CookieJar) -> Set<String> { Set(jar.cookies.map(\.name)) }

    @Test("A domain keeps 50 cookies; the least recently used one is evicted")
    func perDomain() throws {
        var jar = CookieJar()
        for index in 0..<50 {
            try jar.receive("c\(index)=\(index)", from: site, at: now.addingTimeInterval(Double(index)))
        }
        // Setting the first cookie again makes it the most recently used one.
        try jar.receive("c0=again; Path=/", from: site, at: now.addingTimeInterval(60))
        try jar.receive("c50=50", from: site, at: now.addingTimeInterval(61))
        #expect(jar.count == 50)
        #expect(!names(jar).contains("c1"))
        #expect(names(jar).isSuperset(of: ["c0", "c2", "c50"]))
    }

    @Test("Expired cookies are evicted first, then cookies without Secure")
    func order() throws {
        var jar = CookieJar()
        try jar.receive("over=1; Secure; Max-Age=10", from: site, at: now)
        for index in 0..<48 { try jar.receive("s\(index)=1; Secure", from: site, at: now.addingTimeInterval(1)) }
        try jar.receive("plain=1", from: site, at: now.addingTimeInterval(2))
        try jar.receive("s48=1; Secure", from: site, at: now.addingTimeInterval(20))
        #expect(names(jar).contains("plain") && !names(jar).contains("over"))
        try jar.receive("s49=1; Secure", from: site, at: now.addingTimeInterval(21))
        #expect(!names(jar).contains("plain") && jar.count == 50)
        try jar.receive("late=1", from: site, at: now.addingTimeInterval(22))
        #expect(!names(jar).contains("late") && jar.count == 50)
    }

    @Test("A full domain evicts no cookies of other domains")
    func others() throws {
        var jar = CookieJar()
        try jar.receive("mine=1", from: "https://other.example.com/", at: now)
        for index in 0..<200 { try jar.receive("c\(index)=1", from: site, at: now) }
        #expect(jar.count == 51)
        let sent = try jar.header(for: "https://other.example.com/", at: now)
        #expect(sent == "mine=1")
    }

    @Test("A jar keeps 3,000 cookies; the least recently used one is evicted")
    func all() throws {
        var jar = CookieJar()
        for index in 0..<3100 {
            try jar.receive("c=1", from: "https://h\(index).test/", at: now.addingTimeInterval(Double(index)))
        }
        #expect(jar.count == 3000)
        #expect(jar.cookies.count == 3000)
        let gone = try jar.header(for: "https://h99.test/", at: now)
        #expect(gone == nil)
        let sent = try jar.header(for: "https://h100.test/", at: now)
        #expect(sent == "c=1")
    }

    @Test("A cookie with characters that no cookie can hold is not inserted", arguments: ["a;b", "a\r\nb", "a\u{0}"])
    func unsendable(value: String) {
        var jar = CookieJar()
        var isIn: [Bool] = []
        isIn.append(jar.insert(StoredCookie(name: "a", value: value, domain: "example.com")))
        isIn.append(jar.insert(StoredCookie(name: value, value: "a", domain: "example.com")))
        isIn.append(jar.insert(StoredCookie(name: "a=b", value: "", domain: "example.com")))
        isIn.append(jar.insert(StoredCookie(name: "a", value: "b", domain: "")))
        isIn.append(jar.insert(StoredCookie(name: "a", value: "b", domain: ".EXAMPLE.com")))
        #expect(isIn == [false, false, false, false, true])
        #expect(jar.cookies.first?.domain == "example.com")
    }

    @Test("The revision changes only if the jar changes")
    func revision() throws {
        var jar = CookieJar()
        #expect(jar.revision == 0)
        try jar.receive("a=b", from: site, at: now)
        let revision = jar.revision
        #expect(revision > 0)
        _ = try jar.header(for: site, at: now)
        try jar.receive("refused=1; Domain=com", from: site, at: now)
        jar.remove { $0.name == "missing" }
        #expect(jar.revision == revision)
        jar.removeAll()
        #expect(jar.revision > revision && jar.count == 0)
    }

    @Test("Neither the description nor a dump of a cookie shows its value")
    func secrets() {
        let cookie = StoredCookie(name: "sid", value: "secret", domain: "example.com")
        var dumped = ""
        dump(cookie, to: &dumped)
        #expect(!"\(cookie) \(String(reflecting: cookie)) \(dumped)".contains("secret"))
        #expect("\(cookie)" == "sid for example.com/")
    }
}
