// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RedirectStateMachineTests {
    private func request(
        _ method: HTTPRequest.Method = .get, _ url: String = "https://api.test/a/b?k=1", fields: HTTPFields = [:],
        body: RequestBody = .empty
    ) throws -> TransportRequest {
        let (base, target) = try BaseURL.absolute(url)
        return TransportRequest(
            head: HTTPRequest(
                method: method, scheme: base.scheme, authority: base.authority, path: target, headerFields: fields),
            body: body)
    }

    private func answer(_ status: Int, _ location: String?...) -> HTTPResponse {
        var head = HTTPResponse(status: .init(code: status))
        for location in location.compactMap(\.self) {
            head.headerFields.append(HTTPField(name: .location, value: location))
        }
        return head
    }

    private func follow(
        _ status: Int, _ location: String, to request: TransportRequest, _ policy: RedirectPolicy = .follow
    ) throws -> RedirectProposal {
        let decision = RedirectStateMachine(policy).decision(on: answer(status, location), to: request)
        guard case .follow(let proposal) = decision else { throw Unexpected(what: "\(decision)") }
        return proposal
    }

    private func refusal(
        _ location: String, to request: TransportRequest, _ policy: RedirectPolicy = .follow
    ) throws -> RedirectError {
        let decision = RedirectStateMachine(policy).decision(on: answer(302, location), to: request)
        guard case .refuse(let failure) = decision else { throw Unexpected(what: "\(decision)") }
        return failure
    }

    struct Unexpected: Error { var what: String }

    @Test(
        "300, 304, 305, 306 and statuses that are not redirects are returned as responses",
        arguments: [200, 201, 204, 300, 304, 305, 306, 400, 401])
    func stays(status: Int) throws {
        guard case .stay = RedirectStateMachine(.follow).decision(on: answer(status, "/x"), to: try request()) else {
            Issue.record("\(status) was followed")
            return
        }
    }

    @Test("A redirect without a Location, or with an empty one, is returned as a response", arguments: [nil, ""])
    func nowhere(location: String?) throws {
        guard case .stay = RedirectStateMachine(.follow).decision(on: answer(302, location), to: try request()) else {
            Issue.record("a redirect without a Location was followed")
            return
        }
    }

    @Test(
        "The method of the next request follows RFC 9110 and the Fetch standard",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
            (308, "POST", "POST"),
            (301, "PUT", "PUT"), (302, "PATCH", "PATCH"), (302, "DELETE", "DELETE"), (303, "PUT", "GET"),
            (303, "DELETE", "GET"), (303, "HEAD", "HEAD"), (303, "GET", "GET"), (303, "PURGE", "GET"),
            (302, "HEAD", "HEAD"),
            (307, "PUT", "PUT"), (308, "DELETE", "DELETE"), (301, "PURGE", "PURGE"), (302, "OPTIONS", "OPTIONS"),
        ])
    func methods(status: Int, method: String, next: String) throws {
        let body = RequestBody.text("x")
        let fields: HTTPFields = [
            .contentType: "text/plain", .contentLength: "1", .contentEncoding: "identity", .expect: "100-continue",
            .accept: "*/*",
        ]
        let method = try #require(HTTPRequest.Method(method))
        let proposal = try follow(status, "/x", to: try request(method, fields: fields, body: body))
        #expect(proposal.request.head.method.rawValue == next)
        #expect(proposal.redirection.method == next)
        let keeps = next == method.rawValue && status != 303
        #expect(proposal.request.body.isEmpty != keeps)
        #expect(proposal.request.head.headerFields.count == (keeps ? 5 : 1))
        #expect(proposal.request.head.headerFields[.accept] == "*/*")
    }

    @Test(
        "A Location is resolved against the URL of the response",
        arguments: [
            ("/x", "https://api.test/x"), ("x?y=1", "https://api.test/a/x?y=1"), ("?y", "https://api.test/a/b?y"),
            ("//other.test/x", "https://other.test/x"), ("https://API.test:443/x", "https://api.test/x"),
            ("../../../x", "https://api.test/x"), ("/a b/ü", "https://api.test/a%20b/%C3%BC"),
            ("/x%2Fy", "https://api.test/x%2Fy"), ("/\\evil.test", "https://api.test/%5Cevil.test"),
            ("\\\\evil.test\\x", "https://api.test/a/%5C%5Cevil.test%5Cx"),
            ("https://[::1]:8443/x", "https://[::1]:8443/x"), ("/x#part", "https://api.test/x#part"),
            ("/100%", "https://api.test/100%"), ("/%zz?a=%&b=%2", "https://api.test/%zz?a=%&b=%2"),
            ("https://@other.test/", "https://other.test/"),
            ("https://b\u{FC}cher.test/", "https://xn--bcher-kva.test/"),
            ("https://b%C3%BCcher.test/", "https://xn--bcher-kva.test/"),
        ])
    func locations(location: String, url: String) throws {
        let proposal = try follow(302, location, to: try request())
        #expect(proposal.redirection.to == url)
        #expect(proposal.redirection.from == "https://api.test/a/b?k=1")
        #expect(proposal.request.head.path?.contains("#") == false)
        #expect(!proposal.redirection.ignoresUserInfo)
    }

    @Test(
        "A Location that is not UTF-8 is percent-encoded byte by byte",
        arguments: [
            ("/caf", [0xE9], "https://api.test/caf%E9"), ("/caf", [0xC3, 0xA9], "https://api.test/caf%C3%A9"),
            ("/?q=", [0xC3, 0xA9, 0xE9], "https://api.test/?q=%C3%A9%E9"),
        ] as [(String, [UInt8], String)])
    func rawBytes(location: String, bytes: [UInt8], url: String) throws {
        var head = HTTPResponse(status: .found)
        head.headerFields.append(HTTPField(name: .location, value: Array(location.utf8) + bytes))
        let decision = RedirectStateMachine(.follow).decision(on: head, to: try request())
        guard case .follow(let proposal) = decision else { throw Unexpected(what: "\(decision)") }
        #expect(proposal.redirection.to == url)
        // A relative redirect from there keeps the same bytes.
        #expect(try follow(302, "#x", to: proposal.request).redirection.to == url + "#x")
    }

    @Test(
        "User info in a Location is not used, and the redirection reports that",
        arguments: [
            ("https://user:s3cret@other.test/x", "https://other.test/x"),
            ("//s3cret@other.test/x", "https://other.test/x"),
            ("https://u%40x:s3cret@api.test/x", "https://api.test/x"),
        ])
    func userInfo(location: String, url: String) throws {
        var policy = RedirectPolicy()
        policy.limit = 1
        var machine = RedirectStateMachine(policy)
        let request = try request()
        guard case .follow(let proposal) = machine.decision(on: answer(302, location), to: request) else {
            Issue.record("\(location) was not followed")
            return
        }
        #expect(proposal.redirection.to == url && proposal.redirection.ignoresUserInfo)
        #expect(!"\(proposal)".contains("s3cret"))
        #expect(machine.followed(proposal, with: proposal.request).ignoresUserInfo)
    }

    @Test(
        "An invalid or dangerous Location is refused with the reason",
        arguments: [
            ("https://us er:secret@other.test/", RedirectError.Reason.invalidLocation),
            ("https://", .invalidLocation),
            ("//a@user@other.test/", .invalidLocation), ("https://exa mple.test/", .invalidLocation),
            ("https://@/", .invalidLocation), ("https://b\u{FC}cher\u{2044}.test/", .invalidLocation),
            ("https://b%FCcher.test/", .invalidLocation), ("http:///api.test/x", .invalidLocation),
            ("http:/x", .invalidLocation), ("https://B\u{DC}CHER.test/", .invalidLocation),
            ("https://other.test:99999/", .invalidLocation), ("https://1.2.3/", .invalidLocation),
            ("https://good.test\\@evil.test/", .invalidLocation), ("https:/x", .invalidLocation),
            ("https:x", .invalidLocation),
            ("/a\tb", .invalidLocation), ("/caf\u{FFFD}", .invalidLocation),
            ("ftp://other.test/", .unsupportedScheme),
            ("file:///etc/passwd", .unsupportedScheme), ("javascript:alert(1)", .unsupportedScheme),
            ("data:text/plain,x", .unsupportedScheme), ("mailto:a@b.test", .unsupportedScheme),
            ("app://callback?code=secret", .unsupportedScheme), ("http://api.test/a/b", .downgrade),
        ])
    func hostile(location: String, reason: RedirectError.Reason) throws {
        let failure = try refusal(location, to: try request())
        #expect(failure.reason == reason)
        #expect(failure.location == location)
        #expect(!failure.description.contains("secret"))
    }

    @Test("Two different Location fields are refused; two equal ones count as one")
    func severalLocations() throws {
        let machine = RedirectStateMachine(.follow)
        guard case .refuse(let failure) = machine.decision(on: answer(302, "/x", "/y"), to: try request()),
            case .follow = machine.decision(on: answer(302, "/x", "/x"), to: try request())
        else {
            Issue.record("unexpected decision")
            return
        }
        #expect(failure.reason == .invalidLocation)
    }

    @Test("A single-use body is not sent again, and does not matter if the method becomes GET")
    func once() throws {
        let body = RequestBody.once(DataChunks(pieces: [Data("x".utf8)]))
        let post = try request(.post, body: body)
        #expect(try follow(302, "/x", to: post).request.body.isEmpty)
        guard case .refuse(let failure) = RedirectStateMachine(.follow).decision(on: answer(307, "/x"), to: post) else {
            Issue.record("a redirect with a single-use body was followed")
            return
        }
        #expect(failure.reason == .bodyCannotBeSentAgain)
        #expect(failure.transportError.code == .requestBodyStreamExhausted)
    }

    private static let credentials: HTTPFields = {
        var fields = HTTPFields()
        let names = [
            "Authorization", "Proxy-Authorization", "Cookie", "X-API-Key", "X-Mine", "X-Attached", "Host", "Referer",
        ]
        for name in names.compactMap({ HTTPField.Name($0) }) { fields[name] = "secret" }
        return fields
    }()

    @Test(
        "Credentials are not sent to another origin, and all are sent to the same origin",
        arguments: [
            ("/x", false), ("https://api.test/x", false), ("https://API.TEST:443/x", false),
            ("https://api.test:8443/x", true),
            ("https://www.api.test/x", true), ("https://test/x", true), ("//other.test/", true),
        ], [301, 303, 308])
    func origins(target: (location: String, crosses: Bool), status: Int) throws {
        var policy = RedirectPolicy()
        policy.sensitiveHeaders = ["x-MINE", "not a name"]
        var fields = Self.credentials
        fields[.accept] = "*/*"
        var request = try request(fields: fields)
        request.options.userInfo[CredentialFields.self] = Set([HTTPField.Name("X-Attached")].compactMap(\.self))
        let proposal = try follow(status, target.location, to: request, policy)
        #expect(proposal.isCrossOrigin == target.crosses)
        #expect(proposal.request.head.headerFields == (target.crosses ? [.accept: "*/*"] : fields))
    }

    @Test(
        "Conditions of a safe request stay within an origin; at another one they are dropped, with a range they protect",
        arguments: ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"],
        [302, 303, 307])
    func conditions(name: String, status: Int) throws {
        let field = try #require(HTTPField.Name(name))
        let fields: HTTPFields = [field: "\"v1\"", .range: "bytes=5-", .accept: "*/*"]
        let request = try request(fields: fields)
        #expect(try follow(status, "/x", to: request).request.head.headerFields == fields)
        let away = try follow(status, "https://other.test/x", to: request).request.head.headerFields
        #expect(!away.contains(field))
        #expect(away.contains(.range) == ["If-None-Match", "If-Modified-Since"].contains(name))
        #expect(away[.accept] == "*/*")
        var policy = RedirectPolicy()
        policy.keepsConditions = true
        #expect(try follow(status, "https://other.test/x", to: request, policy).request.head.headerFields == fields)
    }

    @Test(
        "A conditional write keeps its condition within an origin, goes to no other one, and leaves none to a GET",
        arguments: ["If-Match", "If-None-Match", "If-Unmodified-Since"], ["PUT", "PATCH", "DELETE"])
    func conditionalWrite(name: String, method: String) throws {
        let field = try #require(HTTPField.Name(name))
        let verb = try #require(HTTPRequest.Method(method))
        let write = try request(verb, fields: [field: "\"v\""], body: .text("x"))
        #expect(try follow(307, "/x", to: write).request.head.headerFields[field] == "\"v\"")
        let failure = try refusal("https://other.test/x", to: write)
        #expect(failure.reason == .conditionForAnotherOrigin)
        #expect(failure.description.contains(name))
        #expect(failure.transportError.code == .badServerResponse)
        for location in ["/x", "https://other.test/x"] {
            let proposal = try follow(303, location, to: write)
            #expect(proposal.request.head.method == .get)
            #expect(!proposal.request.head.headerFields.contains(field))
        }
        // An asterisk names no version.
        let any = try request(verb, fields: [field: "*"], body: .text("x"))
        #expect(try follow(307, "https://other.test/x", to: any).request.head.headerFields[field] == "*")
        #expect(try !follow(303, "https://other.test/x", to: any).request.head.headerFields.contains(field))
    }

    @Test("A redirect from http to https of the same host changes the origin, is allowed, and keeps conditions")
    func upgrade() throws {
        let fields: HTTPFields = [.authorization: "Bearer secret", .ifNoneMatch: "\"v\""]
        let proposal = try follow(301, "https://api.test/x", to: try request(.get, "http://api.test/x", fields: fields))
        #expect(proposal.isCrossOrigin)
        #expect(proposal.request.head.headerFields == [.ifNoneMatch: "\"v\""])
    }

    @Test("An allowed downgrade is followed, but without credentials")
    func downgrade() throws {
        var policy = RedirectPolicy()
        policy.allowsDowngrade = true
        let fields: HTTPFields = [.authorization: "Bearer secret"]
        let proposal = try follow(301, "http://api.test/x", to: try request(fields: fields), policy)
        #expect(proposal.redirection.to == "http://api.test/x")
        #expect(proposal.request.head.headerFields.isEmpty)
    }

    @Test("Dropped credentials are not restored by a redirect back to the first origin")
    func thereAndBack() throws {
        var machine = RedirectStateMachine(.follow)
        var request = try request(fields: Self.credentials)
        for location in ["https://other.test/x", "https://api.test/a/b"] {
            guard case .follow(let proposal) = machine.decision(on: answer(302, location), to: request) else {
                Issue.record("\(location) was not followed")
                return
            }
            request = proposal.request
            _ = machine.followed(proposal, with: request)
        }
        #expect(request.head.authority == "api.test")
        // The two remaining fields count as credentials only if configured.
        #expect(request.head.headerFields.map(\.name.canonicalName) == ["x-mine", "x-attached"])
    }

    @Test("A fragment is inherited until a Location has its own, and is never sent")
    func fragments() throws {
        var machine = RedirectStateMachine(.follow)
        var request = try request()
        for location in ["/1#one", "/2", "/3#t hree", "/4"] {
            guard case .follow(let proposal) = machine.decision(on: answer(302, location), to: request) else {
                Issue.record("\(location) was not followed")
                return
            }
            request = proposal.request
            #expect(request.head.path == location.split(separator: "#").first.map(String.init))
            _ = machine.followed(proposal, with: request)
        }
        #expect(
            machine.history.map(\.to) == [
                "https://api.test/1#one", "https://api.test/2#one", "https://api.test/3#t%20hree",
                "https://api.test/4#t%20hree",
            ])
        #expect(machine.history.map(\.from).dropFirst() == machine.history.map(\.to).dropLast())
    }

    @Test(
        "A redirect beyond the limit is refused, and a loop is reported as a loop",
        arguments: [0, 1, 20], [true, false])
    func limit(limit: Int, circle: Bool) throws {
        var policy = RedirectPolicy()
        policy.limit = limit
        var machine = RedirectStateMachine(policy)
        var request = try request(.get, "https://api.test/0")
        for index in 0..<limit {
            guard
                case .follow(let proposal) = machine.decision(on: answer(302, circle ? "/0" : "/\(index)"), to: request)
            else {
                Issue.record("redirect \(index) was not followed")
                return
            }
            request = proposal.request
            _ = machine.followed(proposal, with: request)
        }
        guard case .refuse(let failure) = machine.decision(on: answer(302, circle ? "/0" : "/last"), to: request) else {
            Issue.record("one redirect too many was followed")
            return
        }
        #expect(failure.reason == (circle && limit > 0 ? .loop : .tooMany))
        #expect(failure.history.count == limit)
        #expect(failure.transportError.code == .httpTooManyRedirects)
    }
}
