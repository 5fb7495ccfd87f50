// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Other ways to receive an error than an awaited call: sequences, results, closures. Imports only Simorgh.
import Simorgh

struct Person: Codable, Sendable {
    var name: String
}

struct Refusal: Decodable, Sendable {
    var reason: String
}

struct Chat: WebSocketRouter {
    var baseURLString: String { "wss://api.example.com" }
}

func streamedElements(_ client: APIClient) async throws -> Int {
    var count = 0
    do {
        for try await _ in client.call(.get, "log").streaming({ $0.lines() }) { count += 1 }
    } catch NetworkError.urlError(let cause) where cause.code == .timedOut {
        print(cause)
    } catch NetworkError.customError(let status, let response) where status == 404 {
        print(response)
    }
    return count
}

func serverSentEvents(_ client: APIClient) async throws {
    do {
        for try await event in client.eventSource(.get, "feed") { print(event.data) }
    } catch NetworkError.customError(let status, _) where status >= 500 {
        print(status)
    } catch let error as NetworkError where error.isCancelled {
        print(error)
    }
}

func linesOfAStream(_ client: APIClient) async throws {
    do {
        let response = try await client.stream(.get, "log")
        for try await line in response.lines() { print(line) }
    } catch StreamingError.lineTooLong(let limit) where limit > 0 {
        print(limit)
    } catch let error as NetworkError where error.isRetryable {
        print(error)
    }
}

func uploadEvents(_ client: APIClient) async throws {
    do {
        for try await event in client.upload(.text("body"), to: "files").uploadEvents() { print(event.fraction) }
    } catch NetworkError.bodyTooLarge(let limit, let context) where limit > 0 {
        print(context)
    } catch NetworkError.urlError(let cause) {
        print(cause)
    }
}

func webSocketEvents(_ client: APIClient) async throws {
    do {
        let socket = try client.webSocketConnection(Chat())
        for try await event in socket.events() { print(event) }
        for try await person in socket.messages(of: Person.self) { print(person) }
        for try await message in socket.streamedMessages() {
            for try await part in message { print(part) }
        }
    } catch let error as WebSocketError where error.code == .connectionLost {
        print(error)
    } catch WebSocketRouterError.invalidScheme(let scheme) where !scheme.isEmpty {
        print(scheme)
    }
}

func subscriptionEvents(_ client: APIClient) async throws {
    let socket = client.subscriptions(over: GraphQLTransportProtocol(url: "wss://api.example.com/graphql"))
    do {
        let events = socket.subscribe("subscription { person { name } }", as: Person.self)
        for try await person in events { print(person) }
        for try await update in events.updates { print(update) }
    } catch let error as SubscriptionError where error.code == .timedOut {
        print(error)
    } catch let error as GraphQLErrors {
        print(error)
    }
}

func typedResult(_ client: APIClient) async -> String {
    switch await client.call(.get, "people/7").result(Person.self) {
    case .success(let person): person.name
    case .failure(.urlError(let cause)) where cause.code == .timedOut: "late"
    case .failure(.customError(let status, let response)): "\(status) \(response)"
    case .failure(let error): error.localizedDescription
    }
}

func typedFailure(_ client: APIClient) async -> String {
    switch await client.result(for: APIRequest<Person, Refusal>.get("people/7")) {
    case .success(let person): person.name
    case .failure(.apiError(let refusal)) where refusal.statusCode == 404: refusal.error?.reason ?? "gone"
    case .failure(.loadingError(let error)): error.localizedDescription
    case .failure(let error): error.localizedDescription
    }
}

func started(_ client: APIClient) -> SmartTask {
    client.call(.get, "people/7").start(Person.self) { result in
        do {
            print(try result.get())
        } catch {
            print(error.localizedDescription)
        }
    }
}
