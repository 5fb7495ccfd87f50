// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSigning
import SimorghSupport
import Testing

/// The test cases of RFC 9421, appendix B.2 to B.4, and the one of section 4.3 for RSASSA-PKCS1-v1_5.
@Suite("HTTP Message Signatures: RFC 9421, appendix B", .timeLimit(.minutes(5)))
struct RFC9421VectorTests {
    private static let date = Date(timeIntervalSince1970: 1_618_884_473)
    private static let requestBody = Data(#"{"hello": "world"}"#.utf8)
    private static let responseBody = Data(#"{"message": "good dog"}"#.utf8)

    private static func request() throws -> HTTPRequest {
        var request = HTTPRequest(
            method: .post, scheme: "https", authority: "example.com", path: "/foo?param=Value&Pet=dog")
        request.headerFields = [
            .date: "Tue, 20 Apr 2021 02:07:55 GMT", .contentType: "application/json",
            try #require(HTTPField.Name("Content-Digest")):
                "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:",
            .contentLength: "18",
        ]
        return request
    }

    private static func response() throws -> HTTPResponse {
        HTTPResponse(
            status: .ok,
            headerFields: [
                .date: "Tue, 20 Apr 2021 02:07:56 GMT", .contentType: "application/json",
                try #require(HTTPField.Name("Content-Digest")):
                    "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:",
                .contentLength: "23",
            ])
    }

    private static func verifier() -> MessageSignatureVerifier {
        var verifier = MessageSignatureVerifier { try RFC9421Keys.verification($0) }
        verifier.requiredRequestComponents = []
        verifier.requiresContentDigest = false
        return verifier
    }

    private static func sign(_ fields: inout HTTPFields, _ input: String, _ signature: String) throws {
        fields[try #require(HTTPField.Name("Signature-Input"))] = input
        fields[try #require(HTTPField.Name("Signature"))] = signature
    }

    /// The input and the signature of requests whose signature has a random part.
    static let receivedVectors: [(name: String, input: String, signature: String)] = [
        (
            "B.2.1", #"sig=();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd""#,
            """
            d2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7zFZsc\
            kzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLMIQKhO4DGezXe\
            hhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9\
            mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q==
            """
        ),
        (
            "B.2.2",
            #"sig=("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;keyid="test-key-rsa-pss";tag="header-example""#,
            """
            LjbtqUbfmvjj5C5kr1Ugj4PmLYvx9wVjZvD9GsTT4F7GrcQEdJzgI9qHxICagShLRiLMlAJjtq6N4CDfKtjvuJyE5qH7KT8UCMkS\
            owOB4+ECxCmT8rtAmj/0PIXxi0A0nxKyB09RNrCQibbUjsLS/2YyFYXEu4TRJQzRw1rLEuEfY17SARYhpTlaqwZVtR8NV7+4UKkj\
            qpcAoFqWFQh62s7Cl+H2fjBSpqfZUJcsIk4N6wiKYd4je2U/lankenQ99PZfB4jY3I5rSV2DSBVkSFsURIjYErOs0tFTQosMTAox\
            k//0RoKUqiYY8Bh0aaUEb0rQl3/XaVe4bXTugEjHSw==
            """
        ),
        (
            "B.2.3",
            #"sig=("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss""#,
            """
            bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp76\
            8ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQo\
            Ld7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX\
            2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==
            """
        ),
        (
            "B.3",
            #"sig=("@path" "@query" "@method" "@authority" "client-cert");created=1618884473;keyid="test-key-ecc-p256""#,
            "xVMHVpawaAC/0SbHrKRs9i8I3eOs5RtTMGCWXm/9nvZzoHsIg6Mce9315T6xoklyy0yzhD9ah4JHRwMLOgmizw=="
        ),
        (
            "4.3",
            #"sig=("@method" "@authority" "@path" "content-digest" "content-type" "content-length" "forwarded");created=1618884480;keyid="test-key-rsa";alg="rsa-v1_5-sha256";expires=1618884540"#,
            """
            S6ZzPXSdAMOPjN/6KXfXWNO/f7V6cHm7BXYUh3YD/fRad4BCaRZxP+JH+8XY1I6+8Cy+CM5g92iHgxtRPz+MjniOaYmdkDcnL9cC\
            pXJleXsOckpURl49GwiyUpZ10KHgOEe11sx3G2gxI8S0jnxQB+Pu68U9vVcasqOWAEObtNKKZd8tSFu7LB5YAv0RAGhB8tmpv7sF\
            nIm9y+7X5kXQfi8NMaZaA8i2ZHwpBdg7a6CMfwnnrtflzvZdXAsD3LH2TwevU+/PBPv0B6NMNk93wUs/vfJvye+YuI87HU38lZHo\
            wtznbLVdp770I6VHR6WfgS9ddzirrswsE1w5o0LV/g==
            """
        ),
    ]

    @Test(
        "B.2.1 to B.2.3, B.3 and section 4.3: a request is valid, and a changed signature is not",
        arguments: receivedVectors)
    func received(name: String, input: String, signature: String) async throws {
        var request = try Self.request()
        switch name {
        case "B.3":
            request.authority = "service.internal.example"
            request.headerFields[try #require(HTTPField.Name("Client-Cert"))] = Self.clientCertificate
        case "4.3":
            request.authority = "origin.host.internal.example"
            request.headerFields[try #require(HTTPField.Name("Forwarded"))] =
                "for=192.0.2.123;host=example.com;proto=https"
        default: break
        }
        try Self.sign(&request.headerFields, input, "sig=:\(signature):")
        let found = try await Self.verifier().verify(request, body: Self.requestBody, at: Self.date)
        #expect(input.contains("keyid=\"\(found.keyID)\""))
        try Self.sign(&request.headerFields, input, "sig=:AAAA\(signature.dropFirst(4)):")
        let error = await #expect(throws: MessageSignatureError.self) {
            try await Self.verifier().verify(request, body: Self.requestBody, at: Self.date)
        }
        #expect(error?.reason == .invalidSignature)
    }

    private static let clientCertificate =
        """
        :MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKDBJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVBAMMEkxBIEl\
        udGVybWVkaWF0ZSBDQTAeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFkwEwYHKoZIzj0CAQY\
        IKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmckC8vdgJ1p5Be5F/3YC8OthxM4+k1M6aEAEFcGzkJiNy6J84y7uzo\
        9M6NyMHAwCQYDVR0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8BAf8EBAMCBsAwEwYDVR0lBAw\
        wCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4\
        /Di6YK0Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk=:
        """

    @Test("B.2.4: a response signed by ECDSA P-256 is valid")
    func ecdsa() async throws {
        var response = try Self.response()
        try Self.sign(
            &response.headerFields,
            #"sig-b24=("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256""#,
            "sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==:")
        let found = try await Self.verifier().verify(response, body: Self.responseBody, at: Self.date)
        #expect(found.keyID == "test-key-ecc-p256" && found.label == "sig-b24" && found.created == Self.date)
        response.status = .created
        let error = await #expect(throws: MessageSignatureError.self) {
            try await Self.verifier().verify(response, body: Self.responseBody, at: Self.date)
        }
        #expect(error?.reason == .invalidSignature)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let label: String
        let keyID: String
        let components: [SignedComponent]
        let signature: String
    }

    static let cases = [
        Case(
            testDescription: "B.2.5", label: "sig-b25", keyID: "test-shared-secret",
            components: ["date", .authority, "content-type"], signature: "pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8="),
        Case(
            testDescription: "B.2.6", label: "sig-b26", keyID: "test-key-ed25519",
            components: ["date", .method, .path, .authority, "content-type", "content-length"],
            signature: "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="),
    ]

    @Test("B.2.5 and B.2.6: a request has the signature of the RFC, and is valid", arguments: cases)
    func deterministic(vector: Case) async throws {
        var signer = HTTPMessageSigner(key: try RFC9421Keys.signing(vector.keyID), keyID: vector.keyID)
        signer.components = vector.components
        signer.label = vector.label
        signer.lifetime = nil
        signer.namesAlgorithm = false
        signer.addsNonce = false
        let signed = try await signer.signed(TransportRequest(head: try Self.request()), at: Self.date)
        let name = try #require(HTTPField.Name("Signature"))
        #expect(signed.head.headerFields[name] == "\(vector.label)=:\(vector.signature):")
        let found = try await Self.verifier().verify(signed.head, body: Self.requestBody, at: Self.date)
        #expect(found.components == vector.components)
    }

    @Test("B.4: a signature survives a reordered Accept, and not a changed one")
    func transformed() async throws {
        var request = HTTPRequest(
            method: .get, scheme: "https", authority: "example.org", path: "/demo?name1=Value1&Name2=value2")
        request.headerFields.append(HTTPField(name: .date, value: "Fri, 15 Jul 2022 14:24:55 GMT"))
        request.headerFields.append(HTTPField(name: .accept, value: "application/json"))
        request.headerFields.append(HTTPField(name: .accept, value: "*/*"))
        try Self.sign(
            &request.headerFields,
            #"transform=("@method" "@path" "@authority" "accept");created=1618884473;keyid="test-key-ed25519""#,
            "transform=:ZT1kooQsEHpZ0I1IjCqtQppOmIqlJPeo7DHR3SoMn0s5JZ1eRGS0A+vyYP9t/LXlh5QMFFQ6cpLt2m0pmj3NDA==:")
        _ = try await Self.verifier().verify(request, body: Data(), at: Self.date)
        // An intermediary has joined the lines, changed the query and added a field.
        request.headerFields[.accept] = "application/json, */*"
        request.path = "/demo?param=added"
        request.headerFields[.acceptLanguage] = "en"
        _ = try await Self.verifier().verify(request, body: Data(), at: Self.date)
        request.headerFields[.accept] = "*/*, application/json"
        let error = await #expect(throws: MessageSignatureError.self) {
            try await Self.verifier().verify(request, body: Data(), at: Self.date)
        }
        #expect(error?.reason == .invalidSignature)
    }

    @Test(
        "The signed text of each component is the one of the RFC's section 2",
        arguments: [
            (.method, #""@method": POST"#),
            (.targetURI, #""@target-uri": https://www.example.com/path?q=a%20b&z=&q2=%E9"#),
            (.authority, #""@authority": www.example.com"#), (.scheme, #""@scheme": https"#),
            (.path, #""@path": /path"#), (.query, #""@query": ?q=a%20b&z=&q2=%E9"#),
            ("@request-target", #""@request-target": /path?q=a%20b&z=&q2=%E9"#),
            (.queryItem("q"), #""@query-param";name="q": a%20b"#), (.queryItem("z"), #""@query-param";name="z": "#),
            ("x-empty", #""x-empty": "#), ("Cache-Control", #""cache-control": max-age=60, must-revalidate"#),
            (member("example-dict", "a"), #""example-dict";key="a": 1"#),
            (member("example-dict", "b"), #""example-dict";key="b": 2;x=1;y=2"#),
            (member("example-dict", "c"), #""example-dict";key="c": (a b c)"#),
            (member("example-dict", "d"), #""example-dict";key="d": ?1"#),
            (binary("cache-control"), #""cache-control";bs: :bWF4LWFnZT02MA==:, :bXVzdC1yZXZhbGlkYXRl:"#),
        ] as [(SignedComponent, String)])
    func components(component: SignedComponent, line: String) throws {
        var request = HTTPRequest(
            method: .post, scheme: "HTTPS", authority: "WWW.example.com:443", path: "/path?q=a%20b&z=&q2=%E9")
        for (name, value) in [
            ("X-Empty", ""), ("Cache-Control", " max-age=60 "), ("Cache-Control", "must-revalidate"),
            ("Example-Dict", " a=1,    b=2;x=1;y=2,   c=(a   b   c), d"),
        ] {
            request.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let text = try SignatureBase(request).text(MessageSignatureParameters(components: [component]))
        #expect(text.split(separator: "\n").first.map(String.init) == line)
    }

    private static func member(_ name: String, _ key: String) -> SignedComponent {
        var component = SignedComponent(name)
        component.member = key
        return component
    }

    private static func binary(_ name: String) -> SignedComponent {
        var component = SignedComponent(name)
        component.isBinary = true
        return component
    }
}
