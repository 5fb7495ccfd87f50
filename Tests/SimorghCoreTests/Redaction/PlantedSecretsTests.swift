// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// Secrets are planted wherever a call can hold one, and searched in every output about the call.
@Suite("Planted secrets", .timeLimit(.minutes(10)))
struct PlantedSecretsTests {
    /// Each secret has a number that identifies it in a failure.
    private static let secrets = (0..<41).map { "pl4nted-\($0 < 10 ? "0" : "")\($0)-s3cret" }

    /// The kinds of call.
    enum Scenario: String, Sendable, CaseIterable {
        case json, form, text, refused, broken, redirected, retried, streamed, echoed, undecodable, thrown, multipart
    }

    private struct Model: Decodable, Sendable { var missing: Int }

    private struct Thrown: Error, CustomStringConvertible { let description: String }

    private static let table = Scenario.allCases.flatMap { scenario in
        LogLevel.allCases.flatMap { level in LogFormat.allCases.map { (scenario, level, $0) } }
    }

    private static func answer(_ scenario: Scenario) -> StubServer {
        let body =
            #"{"id":1,"access_token":"\#(secrets[0])","user":{"password":"\#(secrets[1])"}"#
            + #","authTokens":["\#(secrets[30])"]}"#
        let names = ["X-Refresh-Token", "X-Internal-User"].compactMap { HTTPField.Name($0) }
        let links = ["Link", "Refresh"].compactMap { HTTPField.Name($0) }
        @Sendable func dressed(_ stub: StubResponse) -> StubResponse {
            let stub = links.reduce(stub.header(.setCookie, value: "sid=\(secrets[2]); Path=/; HttpOnly")) {
                $0.header($1, value: "<https://a.test/?access_token=\(secrets[24])>; rel=next")
            }
            return zip(names, secrets[3...]).reduce(stub) { $0.header($1.0, value: $1.1) }
        }
        switch scenario {
        case .refused:
            return StubServer { _ in
                dressed(.json(body, status: .forbidden)).header(.location, value: "//zal:\(secrets[33])@api.test/there")
            }
        case .broken:
            return StubServer { _ in
                .failure(
                    TransportError(
                        .networkConnectionLost, phase: .head,
                        message: "lost at https://zal:\(secrets[5])@api.test/?token=\(secrets[6])"))
            }
        case .redirected:
            return StubServer(inOrder: [
                dressed(.status(.found)).header(.location, value: "/there?code=\(secrets[7])&token=\(secrets[8])"),
                dressed(.json(body)),
            ])
        case .retried:
            return StubServer(inOrder: [dressed(.json(body, status: .badGateway)), dressed(.json(body))])
        case .streamed:
            let middle = body.index(body.startIndex, offsetBy: body.count / 3)
            return StubServer { _ in
                dressed(
                    .chunks(
                        [
                            .bytes(Data("data: \(body[..<middle])".utf8)), .bytes(Data("\(body[middle...])\n\n".utf8)),
                            .bytes(Data("data: Bearer \(secrets[9])\n".utf8)),
                        ], contentType: "text/event-stream"))
            }
        case .echoed:
            return StubServer { request in
                let fields = request.head.headerFields.map { "\($0.value)" }.joined(separator: "|")
                let stub = dressed(
                    .text("you sent \(fields) to \(request.head.path ?? "") with \(secrets[15]) and \(secrets[16])"))
                return stub.header(.eTag, value: "of \(request.head.headerFields[.authorization] ?? "")")
            }
        case .text:
            return StubServer { _ in
                dressed(
                    .text("token: \(secrets[10]) password='\(secrets[11])'\n42[\"in\",{\"pin\":\"\(secrets[31])\"}]"))
            }
        case .undecodable: return StubServer { _ in dressed(.json(body)) }
        case .json, .form, .thrown, .multipart: return StubServer { _ in dressed(.json(body)) }
        }
    }

    private static func body(_ scenario: Scenario) throws -> RequestBody {
        switch scenario {
        case .form:
            .form(fields: [QueryItem(name: "user", value: "zal"), QueryItem(name: "password", value: secrets[12])])
        case .text:
            .text(
                "<login><password a=\"b\">\(secrets[13])</password><pwd><![CDATA[\(secrets[34])]]></pwd></login>",
                contentType: "application/xml")
        case .multipart:
            try .multipart([.text(name: "password", value: secrets[14])])
        default:
            .text(
                #"{"user":"zal","api_key":"\#(secrets[15])","nested":[{"client_secret":{"a":"\#(secrets[16])"}}],"#
                    + #""gr\u00f6\u00dfe":"\#(secrets[35])"}"#,
                contentType: "application/json")
        }
    }

    @Test("No secret appears in a log, an event, a HAR file or a cURL command", arguments: table)
    func nowhere(scenario: Scenario, level: LogLevel, format: LogFormat) async throws {
        let (box, system) = (LogBox(), LogBox())
        let recorder = HARRecorder(redaction: Self.rules)
        let commands = LockedValue<[String]>([])
        let told = LockedValue<[NetworkEvent]>([])
        let clock = TestClock(movesItself: true)
        let client = APIClient.scripted(Self.answer(scenario)) {
            $0.time = clock.timeSource
            $0.logging.level = level
            $0.logging.logger = NetworkLogger([box.destination(format), .logger(system.logger)])
            $0.logging.redaction = Self.rules
            $0.retry = RetryPolicy(maximumRetries: 1)
            $0.headers = ["X-API-Key": Self.secrets[17], "X-Internal-User": Self.secrets[18]]
            $0.logging.onEvent = { event in told.change { $0.append(event) } }
            $0.plugins = [Plugins.Log(options: .all, logger: system.logger, redaction: Self.rules)]
            $0.networkInterceptors = [
                recorder.interceptor,
                Interceptor { request, next in
                    commands.change { $0.append(request.cURL(showing: Self.rules)) }
                    if scenario == .thrown { throw Thrown(description: "no access_token=\(Self.secrets[19])") }
                    return try await next(request)
                },
            ]
        }
        let stream = client.events()
        let call = client.call(
            .post, "login;jsessionid=\(Self.secrets[32])/x;customer=\(Self.secrets[36])",
            query: [
                "api_key": Self.secrets[20], "page": "2", "customer": Self.secrets[37],
                "next": "https://zal:\(Self.secrets[38])@b.test/?sig=\(Self.secrets[39])",
                "//zal:\(Self.secrets[40])@b.test": "",
            ],
            headers: [
                "Authorization": "Basic \(Data("zal:\(Self.secrets[21])".utf8).base64EncodedString())",
                "Cookie": "a=\(Self.secrets[22]); theme=dark", "X-Authorization": Self.secrets[25],
                "X-JWT-Assertion": Self.secrets[26], "X-GitHub-OTP": Self.secrets[27], "X-PIN": Self.secrets[28],
                "X-Functions-Key": Self.secrets[29], "X-Debug": "for \(Self.secrets[25])",
            ], body: try Self.body(scenario))
        commands.change { [command = try await call.cURL()] in $0.append(command) }
        if scenario == .streamed {
            for try await _ in try await call.stream().chunks {}
        } else if scenario == .undecodable {
            _ = try? await call.decode(Model.self)
        } else {
            _ = try? await call.data()
        }
        var events: [NetworkEvent] = told.value
        for await event in stream {
            events.append(event)
            if case .completed = event { break }
        }
        var dumped = ""
        dump(events, to: &dumped)
        let outputs = [
            "log": box.all, "logger": system.all, "events": dumped + "\(events)",
            "HAR": String(decoding: try recorder.export(), as: UTF8.self),
            "curl": commands.value.joined(separator: "\n"),
        ]
        let basic = Data("zal:\(Self.secrets[21])".utf8).base64EncodedString()
        for (name, text) in outputs {
            let found = (Self.secrets + [basic]).filter { text.contains($0) }
            #expect(found.isEmpty, "\(name) of \(scenario) at \(level) as \(format) contains \(found)")
        }
        // The search itself finds a secret that is present.
        #expect(outputs["curl"]?.contains("[hidden]") == true)
        #expect(level == .none || level == .failures || box.all.contains("[hidden]"))
    }

    private static let rules: RedactionRules = {
        var rules = RedactionRules()
        rules.headerFields = ["x-internal-user"]
        rules.names = ["customer", "Größe"]
        return rules
    }()

    @Test("With redaction off all secrets appear, so the search can find them")
    func everywhere() async throws {
        let box = LogBox()
        let recorder = HARRecorder(redaction: .none)
        let client = APIClient.scripted(Self.answer(.json)) {
            $0.logging.level = .verbose
            $0.logging.logger = box.writing()
            $0.logging.redaction = .none
            $0.networkInterceptors = [recorder.interceptor]
        }
        let call = client.call(
            .post, "login", query: ["api_key": Self.secrets[20]],
            headers: ["Authorization": "Bearer \(Self.secrets[21])"], body: try Self.body(.json))
        _ = try await call.data()
        let har = String(decoding: try recorder.export(), as: UTF8.self)
        for text in [box.all, har] {
            for index in [0, 1, 2, 3, 4, 15, 16, 20, 21] { #expect(text.contains(Self.secrets[index]), "\(index)") }
        }
        let command = try await call.cURL()
        for index in [15, 16, 20, 21] { #expect(command.contains(Self.secrets[index])) }
    }
}
