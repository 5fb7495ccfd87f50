// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghTesting

extension DemoStep {
    static let typedGet = DemoStep(
        "get", "A typed GET",
        code: """
            struct User: Codable { let id: Int; let name: String }

            let user: User = try await client.get("users/7")
            print("user \\(user.id) is \\(user.name)")
            """
    ) { stage in
        let (client, print) = (stage.client, stage.print)
        // demo: get
        let user: User = try await client.get("users/7")
        print("user \(user.id) is \(user.name)")
        // demo: end
        try stage.expect("user 7 is Zal")
    }

    static let post = DemoStep(
        "post", "A POST with a JSON body",
        code: """
            struct NewUser: Codable { let name: String }

            let new = NewUser(name: "Rudabeh")
            let saved: User = try await client.post("users", body: .json(new))
            print("\\(saved.name) has number \\(saved.id)")
            """
    ) { stage in
        let (client, print) = (stage.client, stage.print)
        // demo: post
        let new = NewUser(name: "Rudabeh")
        let saved: User = try await client.post("users", body: .json(new))
        print("\(saved.name) has number \(saved.id)")
        // demo: end
        try stage.expect("Rudabeh has number 8")
    }

    static let query = DemoStep(
        "query", "A query, percent-encoded once",
        code: """
            let terms: QueryItems = ["q": "salt & pepper", "page": 2]
            let echo = try await client.call(.get, "get", query: terms).json()
            print(echo.url.string ?? "")
            print(echo.args.q.string ?? "")
            """
    ) { stage in
        let (client, print) = (stage.client, stage.print)
        // demo: query
        let terms: QueryItems = ["q": "salt & pepper", "page": 2]
        let echo = try await client.call(.get, "get", query: terms).json()
        print(echo.url.string ?? "")
        print(echo.args.q.string ?? "")
        // demo: end
        try stage.expect("\(stage.server.url)/get?q=salt%20%26%20pepper&page=2", "salt & pepper")
    }

    static let form = DemoStep(
        "form", "A form",
        code: """
            let body = RequestBody(formURLEncoded: ["name": "Zal", "hair": "white+"])
            let fields = try await client.call(.post, "post", body: body)
                .decode([String: String].self, at: "form")
            print("name: \\(fields["name"] ?? ""), hair: \\(fields["hair"] ?? "")")
            """
    ) { stage in
        let (client, print) = (stage.client, stage.print)
        // demo: form
        let body = RequestBody(formURLEncoded: ["name": "Zal", "hair": "white+"])
        let fields = try await client.call(.post, "post", body: body)
            .decode([String: String].self, at: "form")
        print("name: \(fields["name"] ?? ""), hair: \(fields["hair"] ?? "")")
        // demo: end
        try stage.expect("name: Zal, hair: white+")
    }

    static let keyPath = DemoStep(
        "key path", "One value of a JSON document, by its key path",
        code: """
            let title = try await client.call(.get, "json")
                .decode(String.self, at: "slideshow.slides.1.title")
            print(title)
            """
    ) { stage in
        let (client, print) = (stage.client, stage.print)
        // demo: key path
        let title = try await client.call(.get, "json")
            .decode(String.self, at: "slideshow.slides.1.title")
        print(title)
        // demo: end
        try stage.expect("The seven valleys")
    }

    static let stream = DemoStep(
        "stream", "A stream: the server sends each line after the previous one has arrived",
        code: """
            let response = try await client.call(.get, "valleys").stream()
            for try await line in response.lines() {
                print(line)
            }
            """
    ) { stage in
        let gates = GateSequence(count: 2)
        DemoServer.addValleys(to: stage.server, gates: gates.gates)
        let client = stage.client
        let print: @Sendable (String) -> Void = { line in
            stage.print(line)
            gates.openNext()
        }
        // demo: stream
        let response = try await client.call(.get, "valleys").stream()
        for try await line in response.lines() {
            print(line)
        }
        // demo: end
        try stage.expect(#"{"valley":"quest"}"#, #"{"valley":"love"}"#, #"{"valley":"knowledge"}"#)
    }
}
#endif
