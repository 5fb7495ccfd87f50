// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghCore
import SimorghSupport
package import SimorghTesting
import Synchronization

/// The responses of an inspector's server.
///
/// Every address begins with the token. The files are constants of the program: data reaches the page only as JSON, which
/// its script turns into text nodes.
package final class InspectorRoutes: Sendable {
    /// The largest number of pages that receive changes at the same time.
    ///
    /// A browser opens at most six connections to an origin, and each page needs another one for its requests.
    private static let maximumFeeds = 4
    /// The time between two messages to a page.
    private static let pause: Duration = .milliseconds(100)

    private let store: InspectorStore
    private let token: InspectorToken
    private let title: String
    /// True if the calls are from a file, which has nothing to pause, clear or repeat.
    private let isFile: Bool
    private let feeds = Atomic(0)
    /// True during a search, which reads all bodies.
    ///
    /// Several searches at the same time would occupy the threads of the inspected program.
    private let isSearching = Atomic(false)

    package init(_ store: InspectorStore, token: InspectorToken, title: String, isFile: Bool) {
        self.store = store
        self.token = token
        self.title = title
        self.isFile = isFile
    }

    /// The routes for a server.
    package var router: Router { Router([Route(nil, path: "/*") { self.response(to: $0) }]) }

    /// Returns the response to a request.
    package func response(to request: RecordedRequest) -> StubResponse {
        guard Self.isLoopback(request.head.authority ?? "") else {
            return Self.refusal(.forbidden, saying: "the inspector answers only at 127.0.0.1, localhost or [::1]")
        }
        let parts = request.path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        guard let first = parts.first, token.matches(first) else {
            return Self.refusal(.notFound, saying: "not found: the address of the inspector contains a token")
        }
        let name = parts.count > 1 ? String(parts[1]) : ""
        if let file = InspectorPage.file(name) {
            guard request.method == .get || request.method == .head else {
                return Self.refusal(.methodNotAllowed, saying: "")
            }
            // Relative links of the page need the slash.
            if name.isEmpty, !request.path.hasSuffix("/") {
                return StubResponse(status: .movedPermanently, headerFields: [.location: "/\(token.text)/"])
            }
            return secured(.bytes(file.bytes, contentType: file.type))
        }
        if let refusal = Self.refusal(of: request.head) { return Self.refusal(.forbidden, saying: refusal) }
        return secured(request.method == .post ? post(name, request: request) : get(name, request: request))
    }

    // MARK: Requests

    private func get(_ name: String, request: RecordedRequest) -> StubResponse {
        switch name {
        case "api/info":
            let (total, messages) = store.read { ($0.total, $0.limits.messages) }
            return .json(Info(title: title, isFile: isFile, total: total, maximumMessages: messages))
        case "api/feed": return feed(request)
        case "api/call":
            guard let call = keptCall(request) else {
                return Self.refusal(.notFound, saying: "the call is no longer kept")
            }
            return .json(CallDetail(call, messagesAfter: Self.number("after", in: request) ?? 0))
        case "api/curl":
            guard let described = redactedRequest(request) else {
                return Self.refusal(.notFound, saying: "the call has no request")
            }
            return .text(described.cURL(showing: .none, prettyPrinted: true) + "\n")
        case "api/swift":
            guard let described = redactedRequest(request) else {
                return Self.refusal(.notFound, saying: "the call has no request")
            }
            return .text(SwiftText.code(for: described))
        case "api/search":
            guard isSearching.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged else {
                return Self.refusal(.serviceUnavailable, saying: "another search is running: it is repeated soon")
            }
            defer { isSearching.store(false, ordering: .relaxed) }
            let text = request.query.first { $0.name == "text" }?.value ?? ""
            return .json(store.snapshot.numbers(containing: String(text.prefix(1000))))
        default: return Self.refusal(.notFound, saying: "not found")
        }
    }

    private func post(_ name: String, request: RecordedRequest) -> StubResponse {
        switch name {
        case "api/har":
            let numbers = Set(request.text.split(separator: ",").compactMap { Int($0) })
            let document = store.snapshot.document(of: request.body.isEmpty ? nil : numbers)
            return .json(document)
        case "api/pause" where !isFile:
            let isOn = request.query.contains { $0.name == "on" && $0.value == "1" }
            store.change { state, _ in state.setPaused(isOn) }
            return .json(["isPaused": isOn])
        case "api/clear" where !isFile:
            store.change { state, _ in state.removeAll() }
            return .json(["isCleared": true])
        case "api/replay" where !isFile:
            guard let call = keptCall(request), case .request(let described) = call.replay,
                call.replayRefusal == nil, let client = store.client(for: call)
            else { return Self.refusal(.notFound, saying: "the call cannot be sent again") }
            guard
                RequestMethod(rawValue: described.head.method.rawValue).isSafe
                    || request.query.contains(where: { $0.name == "confirmed" && $0.value == "1" })
            else {
                return Self.refusal(.conflict, saying: "the call may change data on the server: confirm it first")
            }
            let number = call.number
            // The page sees the new call in its list; its failure is shown there, too.
            guard store.startRepetition({ await InspectorReplay.send(described, repeating: number, over: client) })
            else {
                return Self.refusal(.serviceUnavailable, saying: "too many calls are being sent again: wait for one")
            }
            return .json(["repeats": number], status: .accepted)
        default: return Self.refusal(.notFound, saying: "not found")
        }
    }

    private struct Info: Encodable {
        let title: String
        let isFile: Bool
        let total: Int
        /// The number of messages of a call that the page keeps.
        let maximumMessages: Int
    }

    private func keptCall(_ request: RecordedRequest) -> InspectedCall? {
        Self.number("number", in: request).flatMap { number in store.read { $0.call(number) } }
    }

    private func redactedRequest(_ request: RecordedRequest) -> TransportRequest? {
        keptCall(request)?.redactedRequest(showing: store.configuration.redaction)
    }

    private static func number(_ name: String, in request: RecordedRequest) -> Int? {
        request.query.first { $0.name == name }.flatMap { Int($0.value) }
    }

    // MARK: Changes

    /// Counts the pages that receive changes.
    private final class Lease: Sendable {
        private let routes: InspectorRoutes

        init?(_ routes: InspectorRoutes) {
            guard routes.feeds.add(1, ordering: .relaxed).newValue <= InspectorRoutes.maximumFeeds else {
                routes.feeds.subtract(1, ordering: .relaxed)
                return nil
            }
            self.routes = routes
        }

        deinit { routes.feeds.subtract(1, ordering: .relaxed) }
    }

    /// Returns the changes of the state as server-sent events, from the beginning on.
    private func feed(_ request: RecordedRequest) -> StubResponse {
        guard let lease = Lease(self) else {
            return Self.refusal(
                .serviceUnavailable, saying: "\(Self.maximumFeeds) pages are open, the maximum: close one")
        }
        let store = store
        return .generated(
            for: request, headerFields: [.contentType: "text/event-stream", .cacheControl: "no-store"], length: nil,
            body: WireSteps {
                var version = -1
                var hasSent = false
                return {
                    // Kept until the response ends.
                    _ = lease
                    if hasSent {
                        hasSent = false
                        return .wait(Self.pause)
                    }
                    // Read first, so that no change in between is missed.
                    let count = store.changed.count
                    guard let changes = store.read({ $0.changes(since: version) }) else {
                        return .gate(Gate(signal: store.changed, after: count))
                    }
                    (version, hasSent) = (changes.version, true)
                    guard let json = try? JSONEncoder().encode(changes) else { return .text(": not encodable\n\n") }
                    return .text("data: \(String(decoding: json, as: UTF8.self))\n\n")
                }
            })
    }

    // MARK: Protection

    /// The relation of the requesting page to this server, sent by browsers only.
    private static let site = HTTPField.Name("Sec-Fetch-Site")

    /// Returns true if an authority is this machine; a foreign name can resolve to it (DNS rebinding).
    package static func isLoopback(_ authority: String) -> Bool {
        ["127.0.0.1", "localhost", "[::1]"].contains { name in
            guard authority.hasPrefix(name) else { return false }
            let rest = authority.dropFirst(name.count)
            return rest.isEmpty || rest.first == ":" && rest.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
        }
    }

    /// Returns the reason for refusing a request for data or an action; `nil` if it is from the page or a program.
    package static func refusal(of head: HTTPRequest) -> String? {
        if let origin = head.headerFields[.origin], origin != "http://\(head.authority ?? "")" {
            return "requests from pages of other origins are refused"
        }
        guard let site, let from = head.headerFields[site], from != "same-origin", from != "none" else { return nil }
        return "requests from pages of other origins are refused"
    }

    private static func refusal(_ status: HTTPResponse.Status, saying text: String) -> StubResponse {
        .text(text + "\n", status: status).header(.cacheControl, value: "no-store")
    }

    /// Returns a response with the fields that limit what a browser does with it.
    private func secured(_ response: StubResponse) -> StubResponse {
        let origins = store.allowedFrameOrigins
        let frames = origins.isEmpty ? "'none'" : origins.joined(separator: " ")
        let policy =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors \(frames)"
        var response = response
        for (name, value) in [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cache-Control", "no-store"),
        ] {
            if let name = HTTPField.Name(name) { response = response.header(name, value: value) }
        }
        return response
    }
}
