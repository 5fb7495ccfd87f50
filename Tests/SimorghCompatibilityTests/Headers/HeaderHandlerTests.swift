// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCompatibility
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HeaderHandlerTests {
    @Test("build() returns the added headers, with lowercase names")
    func documented() {
        let headers = HeaderHandler.shared
            .addAuthorizationHeader(type: .bearer(token: "your-token"))
            .addContentTypeHeader(type: .applicationJson)
            .addConnectionHeader(type: .keepAlive)
            .addAcceptHeaders(type: .applicationJson)
            .addAcceptLanguageHeaders(type: .en)
            .addAcceptEncodingHeaders(type: .gzip)
            .addCustomHeader(name: "X-API-Key", value: "your-api-key")
            .build()
        #expect(
            headers == [
                "authorization": "Bearer your-token", "content-type": "application/json", "connection": "keep-alive",
                "accept": "application/json", "accept-language": "en", "accept-encoding": "gzip",
                "x-api-key": "your-api-key",
            ])
    }

    @Test("build() empties the builder, and a later header replaces an earlier one")
    func reset() {
        let builder = HeaderHandler()
        builder.addCustomHeader(name: "A", value: "1").addCustomHeader(name: "a", value: "2")
        #expect(builder.build() == ["a": "2"])
        #expect(builder.build().isEmpty)
    }

    @Test("Concurrent chains on HeaderHandler.shared never mix their headers")
    func apart() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let headers = HeaderHandler.shared
                        .addAuthorizationHeader(type: .bearer(token: "\(number)"))
                        .addCustomHeader(name: "n", value: "\(number)")
                        .build()
                    return headers == ["authorization": "Bearer \(number)", "n": "\(number)"]
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("A builder shared by concurrent tasks loses no headers")
    func shared() async {
        let builder = HeaderHandler()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 { group.addTask { builder.addCustomHeader(name: "n\(number)", value: "") } }
        }
        #expect(builder.build().count == 200)
    }

    @Test(
        "Credentials have the format of their scheme",
        arguments: [
            (AuthorizationType.bearer(token: "t"), "Bearer t"),
            (.basic(username: "Aladdin", password: "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            (.basic(username: "é", password: ""), "Basic w6k6"), (.custom("Digest x"), "Digest x"),
        ])
    func credentials(type: AuthorizationType, value: String) {
        #expect(type.value == value)
    }

    @Test("Printing a credential does not reveal it")
    func silent() {
        let type = AuthorizationType.basic(username: "ada", password: "s3cret")
        var dumped = ""
        dump([type], to: &dumped)
        for text in ["\(type)", "\([type])", String(reflecting: type), dumped] {
            #expect(!text.contains("s3cret") && !text.contains("ada"))
        }
    }

    @Test("Values and names match the documentation")
    func values() {
        #expect([ContentTypeHeaders.name: ContentTypeHeaders.formData.value] == ["content-type": "multipart/form-data"])
        #expect(ContentTypeHeaders.urlEncoded.value == "application/x-www-form-urlencoded")
        #expect(ContentTypeHeaders.applicationJsonUTF8.value == "application/json; charset=utf-8")
        #expect(ContentTypeHeaders.custom("a/b").value == "a/b")
        #expect(AcceptHeaders.all.value == "*/*" && AcceptHeaders.text.value == "text/plain")
        #expect(AcceptLanguageHeaders.fa.value == "fa" && AcceptEncodingHeaders.br.value == "br")
        #expect(ConnectionHeaders.close.value == "close" && ConnectionHeaders.name == "connection")
    }
}
