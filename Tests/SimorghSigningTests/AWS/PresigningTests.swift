// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSigning
import SimorghSupport
import TestSupport
import Testing

@Suite("SigV4Signer: presigned URLs", .timeLimit(.minutes(5)))
struct PresigningTests {
    private static let signer = SigV4Signer.s3(
        region: "eu-west-1", credentials: .fixed(AWSCredentials(accessKeyID: "AKID", secretAccessKey: "secret")))

    @Test("A URL is presigned for one second to seven days, and only once")
    func expiration() async throws {
        let signer = SigV4Signer.s3(region: "eu-west-1", credentials: .fixed(SigV4SignerTests.credentials))
        for expires in [Duration.zero, .milliseconds(900), .seconds(604_801)] {
            let error = await #expect(throws: SigningError.self) {
                try await signer.presignedURL("https://a.test/x", expires: expires)
            }
            #expect(error?.reason == .invalidSetting)
        }
        let url = try await signer.presignedURL("https://a.test/x?y=1", expires: .seconds(604_800))
        #expect(url.contains("?y=1&X-Amz-Algorithm="))
        #expect(url.contains("X-Amz-Security-Token=the-session-token"))
        let again = await #expect(throws: SigningError.self) {
            try await signer.presignedURL(url, expires: .seconds(1))
        }
        #expect(again?.reason == .invalidURL)
        let relative = await #expect(throws: SigningError.self) {
            try await signer.presignedURL("x", expires: .seconds(1))
        }
        #expect(relative?.reason == .invalidURL)
    }

    @Test(
        "An item of another signature in the URL is refused, in any case and encoded",
        arguments: [
            "X-Amz-Expires=604800", "x-amz-expires=604800", "X-Amz-Algorithm=x", "X-Amz-Credential=x", "X-AMZ-DATE=x",
            "X-Amz-SignedHeaders=host", "X-Amz-Security-Token=x", "X-Amz-Signature=0", "%58-Amz-Expires=1",
        ])
    func items(item: String) async {
        let error = await #expect(throws: SigningError.self) {
            try await Self.signer.presignedURL("https://a.test/k?a=1&\(item)", expires: .seconds(60))
        }
        #expect(error?.reason == .invalidURL)
    }

    @Test("All given fields are signed, also those that a proxy may change")
    func fields() async throws {
        let headers = ["Content-Length": "1024", "Content-Type": "image/jpeg", "User-Agent": "zal"]
        let url = try await Self.signer.presignedURL(
            "https://a.test/k", method: .put, expires: .seconds(60), headers: headers,
            at: Date(timeIntervalSince1970: 1_369_353_600))
        let names = url.replacing("%3B", with: ";")
        #expect(names.contains("X-Amz-SignedHeaders=content-length;content-type;host;user-agent&"))
        let other = try await Self.signer.presignedURL(
            "https://a.test/k", method: .put, expires: .seconds(60),
            headers: headers.merging(["Content-Length": "1025"]) { $1 }, at: Date(timeIntervalSince1970: 1_369_353_600))
        #expect(url != other)
    }

    @Test("The date of a URL or of header fields does not decide about the credentials of other calls")
    func date() async throws {
        let (count, expiration) = (LockedValue(0), Date(timeIntervalSinceNow: 3600))
        let source = AWSCredentialsSource {
            count.change { $0 += 1 }
            return AWSCredentials(
                accessKeyID: "K", secretAccessKey: "S", sessionToken: "T", expiration: expiration)
        }
        let signer = SigV4Signer.s3(region: "r", credentials: source)
        let error = await #expect(throws: AWSCredentialsError.self) {
            try await signer.presignedURL(
                "https://a.test/k", expires: .seconds(60), at: Date(timeIntervalSinceNow: 7200))
        }
        #expect(error?.reason == .expired)
        let fields = await #expect(throws: AWSCredentialsError.self) {
            try await signer.headerFields(
                for: "https://a.test/k", method: .get, at: Date(timeIntervalSinceNow: 7200))
        }
        #expect(fields?.reason == .expired)
        _ = try await signer.presignedURL("https://a.test/k", expires: .seconds(60))
        #expect(try await source.current().accessKeyID == "K")
        #expect(count.value == 1)
    }
}
