// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghTesting
import Synchronization

extension DemoStep {
    static let typedGet = DemoStep(
        "get", title: "A typed GET",
        code: """
            struct User: Codable { let id: Int; let name: String }

            let user: User = try await client.get("users/7")
            print("user \\(user.id) is \\(user.name)")
            """
    ) { environment in
        let (client, print) = (environment.client, environment.print)
        // demo: get
        let user: User = try await client.get("users/7")
        print("user \(user.id) is \(user.name)")
        // demo: end
        try environment.expect("user 7 is Zal")
    }

    static let post = DemoStep(
        "post", title: "A POST with a JSON body",
        code: """
            struct NewUser: Codable { let name: String }

            let new = NewUser(name: "Rudabeh")
            let saved: User = try await client.post("users", body: .json(new))
            print("\\(saved.name) has number \\(saved.id)")
            """
    ) { environment in
        let (client, print) = (environment.client, environment.print)
        // demo: post
        let new = NewUser(name: "Rudabeh")
        let saved: User = try await client.post("users", body: .json(new))
        print("\(saved.name) has number \(saved.id)")
        // demo: end
        try environment.expect("Rudabeh has number 8")
    }

    static let query = DemoStep(
        "query", title: "A query, percent-encoded once",
        code: """
            let terms: QueryItems = ["q": "salt & pepper", "page": 2]
            let echo = try await client.call(.get, "get", query: terms).json()
            print(echo.url.string ?? "")
            print(echo.args.q.string ?? "")
            """
    ) { environment in
        let (client, print) = (environment.client, environment.print)
        // demo: query
        let terms: QueryItems = ["q": "salt & pepper", "page": 2]
        let echo = try await client.call(.get, "get", query: terms).json()
        print(echo.url.string ?? "")
        print(echo.args.q.string ?? "")
        // demo: end
        try environment.expect("\(environment.server.url)/get?q=salt%20%26%20pepper&page=2", "salt & pepper")
    }

    static let form = DemoStep(
        "form", title: "A form",
        code: """
            let body = RequestBody(formURLEncoded: ["name": "Zal", "hair": "white+"])
            let fields = try await client.call(.post, "post", body: body)
                .decode([String: String].self, at: "form")
            print("name: \\(fields["name"] ?? ""), hair: \\(fields["hair"] ?? "")")
            """
    ) { environment in
        let (client, print) = (environment.client, environment.print)
        // demo: form
        let body = RequestBody(formURLEncoded: ["name": "Zal", "hair": "white+"])
        let fields = try await client.call(.post, "post", body: body)
            .decode([String: String].self, at: "form")
        print("name: \(fields["name"] ?? ""), hair: \(fields["hair"] ?? "")")
        // demo: end
        try environment.expect("name: Zal, hair: white+")
    }

    static let keyPath = DemoStep(
        "key path", title: "One value of a JSON document, by its key path",
        code: """
            let title = try await client.call(.get, "json")
                .decode(String.self, at: "slideshow.slides.1.title")
            print(title)
            """
    ) { environment in
        let (client, print) = (environment.client, environment.print)
        // demo: key path
        let title = try await client.call(.get, "json")
            .decode(String.self, at: "slideshow.slides.1.title")
        print(title)
        // demo: end
        try environment.expect("The seven valleys")
    }

    static let stream = DemoStep(
        "stream", title: "A stream: the server sends each line after the previous one has arrived",
        code: """
            let response = try await client.call(.get, "valleys").stream()
            for try await line in response.lines() {
                print(line)
            }
            """
    ) { environment in
        let gates = GateSequence(count: 2)
        DemoServer.addValleyStream(to: environment.server, gates: gates.gates)
        let client = environment.client
        let print: @Sendable (String) -> Void = { line in
            environment.print(line)
            gates.openNext()
        }
        // demo: stream
        let response = try await client.call(.get, "valleys").stream()
        for try await line in response.lines() {
            print(line)
        }
        // demo: end
        try environment.expect(#"{"valley":"quest"}"#, #"{"valley":"love"}"#, #"{"valley":"knowledge"}"#)
    }
}

/// Gates that are opened one after another.
private final class GateSequence: Sendable {
    let gates: [Gate]
    private let opened = Atomic(0)

    init(count: Int) { gates = (0..<count).map { _ in Gate() } }

    /// Opens the first closed gate; has no effect if all are open.
    func openNext() {
        let index = opened.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
        if gates.indices.contains(index) { gates[index].open() }
    }
}
#endif
