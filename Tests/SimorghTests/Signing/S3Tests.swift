// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import SimorghSigning
import TestSupport
import Testing

/// Requests to moto, which verifies their signatures with botocore (Tests/Peers/signing/s3.py).
@Suite("AWS Signature Version 4: moto", .timeLimit(.minutes(10)))
struct S3Tests {
    private func client(
        secret: String = "peer-secret", _ change: (inout SigV4Signer) -> Void = { _ in }
    ) throws -> APIClient {
        var signer = SigV4Signer.s3(
            region: "eu-west-1",
            credentials: .fixed(AWSCredentials(accessKeyID: "AKIDPEER", secretAccessKey: secret)))
        change(&signer)
        return APIClient(baseURL: try Witness.s3.url).with { $0.authentication = .signed(by: signer) }
    }

    /// Creates a bucket with a name of its own.
    private func bucket() async throws -> String {
        let name = "birds-\(UUID().uuidString.lowercased())"
        let text =
            "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>"
        try await client().call(.put, name, body: .text(text, contentType: "application/xml")).void()
        return name
    }

    @Test("Objects are written, listed, read in part and deleted")
    func objects() async throws {
        let (client, bucket) = (try client(), try await bucket())
        let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        let file = TemporaryFile(data)
        try await client.call(.put, "\(bucket)/in memory.bin", body: .bytes(data)).void()
        try await client.call(.put, "\(bucket)/file.bin", body: .file(file.path)).void()
        for key in ["in memory.bin", "file.bin"] {
            #expect(try await client.call(.get, "\(bucket)/\(key)").data() == data)
        }
        let part = try await client.call(.get, "\(bucket)/file.bin", headers: ["Range": "bytes=10-19"]).data()
        #expect(part == data[10...19])
        let list = try await client.call(
            .get, bucket, query: ["list-type": "2", "prefix": "in memory", "max-keys": "5"]
        ).data()
        #expect(String(decoding: list, as: UTF8.self).contains("<KeyCount>1</KeyCount>"))
        try await client.call(.delete, "\(bucket)/file.bin").void()
        let gone = try await client.call(.get, "\(bucket)/file.bin").status()
        #expect(gone.statusCode == 404)
    }

    @Test("A body in signed chunks arrives without its signatures")
    func chunks() async throws {
        let (client, bucket) = (try client { $0.payload = .chunked }, try await bucket())
        let data = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let file = TemporaryFile(data)
        try await client.call(.put, "\(bucket)/chunks.bin", body: .file(file.path)).void()
        #expect(try await client.call(.get, "\(bucket)/chunks.bin").data() == data)
    }

    @Test("A wrong secret key is rejected, and the request is not repeated")
    func wrongSecret() async throws {
        let bucket = try await bucket()
        let error = try await #require(throws: NetworkError.self) {
            try await client(secret: "wrong").call(.put, "\(bucket)/x", body: .text("a")).void()
        }
        #expect(error.statusCode == 403)
        #expect(
            error.responseData.map { String(decoding: $0, as: UTF8.self).contains("SignatureDoesNotMatch") } == true)
        #expect(!"\(error)".contains("wrong"))
    }

    @Test("A presigned URL writes and reads an object without credentials, with the signed fields only")
    func presigned() async throws {
        let url = "\(try Witness.s3.url)/\(try await bucket())/two words.txt"
        let signer = SigV4Signer.s3(
            region: "eu-west-1",
            credentials: .fixed(AWSCredentials(accessKeyID: "AKIDPEER", secretAccessKey: "peer-secret")))
        let type = ["Content-Type": "text/x-bird"]
        let writing = try await signer.presignedURL(url, method: .put, expires: .seconds(60), headers: type)
        let client = APIClient()
        try await client.call(.put, writing, headers: type, body: .text("feather")).void()
        let otherType = try await client.call(.put, writing, body: .text("feather")).status()
        #expect(otherType.statusCode == 403)
        let reading = try await signer.presignedURL(url, expires: .seconds(60))
        #expect(String(decoding: try await client.call(.get, reading).data(), as: UTF8.self) == "feather")
        let changed = try await client.call(.get, reading + "0").status()
        #expect(changed.statusCode == 403)
        let past = Date(timeIntervalSinceNow: -120)
        let expired = try await signer.presignedURL(url, expires: .seconds(60), at: past)
        #expect(try await client.call(.get, expired).status().statusCode == 403)
    }

    @Test("Credentials of a container and of an instance are obtained over the engine")
    func endpoints() async throws {
        let base = try Witness.signatures.url
        let client = APIClient(transport: NIOTransport.shared)
        let container = AWSCredentialsSource.container(
            over: client,
            variables: {
                [
                    "AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(base)/v2/credentials",
                    "AWS_CONTAINER_AUTHORIZATION_TOKEN": "container-token",
                ]
            })
        let instance = AWSCredentialsSource.instance(
            over: client, variables: { ["AWS_EC2_METADATA_SERVICE_ENDPOINT": base] })
        for source in [container, instance] {
            let found = try await source.current()
            #expect(found.accessKeyID == "AKIDPEER" && found.sessionToken == "peer-token")
            #expect(found.expiration.map { $0 > Date(timeIntervalSinceNow: 3000) } == true)
        }
    }
}
