// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghSigning
import TestSupport
import Testing

/// Random requests, signed by botocore (Tests/Peers/signing/botocore_signatures.py) and by Simorgh.
@Suite("AWS Signature Version 4: botocore", .timeLimit(.minutes(10)))
struct BotocoreTests {
    private struct Signed: Decodable {
        var kind: String
        var method: String
        var host: String
        /// The target that botocore signs, and another form of it, in which Simorgh sends it.
        var target: String
        var sent: String
        var fields: [[String]]
        var body: String
        var id: String
        var secret: String
        var token: String?
        var region: String
        var service: String
        var date: Int
        var expires: Int
        var authorization: String?
        var signature: String?
    }

    private func signed(seed: Int, count: Int) async throws -> [Signed] {
        let variable = "SIMORGH_BOTOCORE"
        guard let script = ProcessInfo.processInfo.environment[variable] else {
            throw Witness.Missing(variable: variable)
        }
        let outcome = try await ChildProcess.run("/bin/sh", arguments: [script, "random", "\(seed)", "\(count)"])
        try #require(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count == count)
        return try lines.map { try JSONDecoder().decode(Signed.self, from: Data($0.utf8)) }
    }

    @Test("Random requests have the same signature in their header and in their query", arguments: 1...8)
    func random(seed: Int) async throws {
        let all = try await signed(seed: seed, count: 500)
        #expect(all.count { $0.sent != $0.target } > 50)
        for signed in all {
            let credentials = AWSCredentials(
                accessKeyID: signed.id, secretAccessKey: signed.secret, sessionToken: signed.token)
            let signer = SigV4Signer(region: signed.region, service: signed.service, credentials: .fixed(credentials))
            let date = Date(timeIntervalSince1970: Double(signed.date))
            if let expected = signed.authorization {
                var request = TransportRequest(
                    head: HTTPRequest(
                        method: try #require(.init(signed.method)), scheme: "https", authority: signed.host,
                        path: signed.sent))
                for field in signed.fields {
                    request.head.headerFields.append(
                        HTTPField(name: try #require(HTTPField.Name(field[0])), value: field[1]))
                }
                if !signed.body.isEmpty { request.body = .bytes(Data(signed.body.utf8), contentType: nil) }
                let ours = try await signer.signed(request, at: date)
                #expect(ours.head.headerFields[.authorization] == expected, "seed \(seed): \(signed)")
            } else {
                let sigV4 = SigV4(
                    credentials, region: signed.region, service: signed.service, date: SigV4Date(date),
                    usesS3Rules: signer.usesS3Rules)
                let isEmpty = !signed.sent.contains("?")
                var fields = [(name: "host", value: signed.host)]
                for field in signed.fields { fields.append((field[0], field[1])) }
                var message = SigV4.Message(
                    method: signed.method, target: signed.sent, fields: fields,
                    payloadHash: signer.usesS3Rules ? "UNSIGNED-PAYLOAD" : SigV4.hash(Data()))
                var items = [
                    ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", sigV4.credential),
                    ("X-Amz-Date", sigV4.date.text), ("X-Amz-Expires", "\(signed.expires)"),
                    ("X-Amz-SignedHeaders", sigV4.signedNames(message)),
                ]
                if let token = signed.token { items.append(("X-Amz-Security-Token", token)) }
                var allowed = CharacterSet.alphanumerics
                allowed.insert(charactersIn: "-._~")
                let query = items.map { "\($0.0)=\($0.1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
                message.target += (isEmpty ? "?" : "&") + query.joined(separator: "&")
                #expect(sigV4.signature(of: message) == signed.signature, "seed \(seed): \(signed)")
                // The whole path of the public function, which normalizes a URL first.
                let path = signed.sent.prefix { $0 != "?" }.lowercased().replacing("%2e", with: ".")
                let headers = Dictionary(signed.fields.map { ($0[0], $0[1]) }) { first, _ in first }
                guard !path.contains("//"), !path.contains("/."), headers.count == signed.fields.count else { continue }
                let url = try await signer.presignedURL(
                    "https://\(signed.host)\(signed.sent)", method: RequestMethod(rawValue: signed.method),
                    expires: .seconds(signed.expires), headers: headers, at: date)
                #expect(url.hasSuffix("X-Amz-Signature=\(signed.signature ?? "")"), "seed \(seed): \(signed)")
            }
        }
    }
}
