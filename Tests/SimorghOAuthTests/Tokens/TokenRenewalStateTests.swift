// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghOAuth
import Testing

@Suite("TokenRenewalState", .timeLimit(.minutes(5)))
struct TokenRenewalStateTests {
    private struct Unreadable: Error {}

    /// A change of the state; the tokens are named by their values.
    enum Step: Sendable {
        case signIn(String)
        case failed(String, TokenRenewalState.Contents?)
        case saved(String)
        case unsaved(String, TokenRenewalState.Contents?)
        case late(String, after: String)
        case beginSignOut
        case endSignOut
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [Step]
        let contents: TokenRenewalState.Contents
        var old: String? = "old"
        var needsSignIn = true
        /// `unsaved X`, `stored X`, `stored`, `signed out` or `unreadable`.
        let result: String

        var testDescription: String { name }
    }

    private static func token(_ value: String) -> AccessToken { AccessToken(value, refreshToken: "r\(value)") }
    private static func contents(_ value: String) -> TokenRenewalState.Contents { .token(token(value)) }

    static let cases: [Case] = [
        Case(name: "the token of the store", steps: [], contents: contents("a"), result: "stored a"),
        Case(name: "an empty store", steps: [], contents: .empty, result: "stored"),
        Case(name: "an unreadable store", steps: [], contents: .unreadable(Unreadable()), result: "unreadable"),
        Case(name: "a sign-out of another process", steps: [.saved("a")], contents: .empty, result: "signed out"),
        Case(
            name: "a sign-out of another process, without a user", steps: [.saved("a")], contents: .empty,
            needsSignIn: false, result: "stored"),
        Case(
            name: "a token removed from memory", steps: [.saved("a")], contents: contents("a"), old: nil,
            result: "signed out"),
        Case(
            name: "a sign-in of another process after the removal", steps: [.saved("a")], contents: contents("b"),
            old: nil, result: "stored b"),
        Case(
            name: "a new sign-in over another token", steps: [.signIn("b")], contents: contents("a"),
            result: "unsaved b"),
        Case(
            name: "a new sign-in over an unreadable store", steps: [.signIn("b")], contents: .unreadable(Unreadable()),
            result: "unsaved b"),
        Case(
            name: "a sign-in that could not be saved, over the same token",
            steps: [.signIn("b"), .failed("b", contents("a"))], contents: contents("a"), result: "unsaved b"),
        Case(
            name: "a sign-in that could not be saved, after a later one of another process",
            steps: [.signIn("b"), .failed("b", contents("a"))], contents: contents("c"), result: "stored c"),
        Case(
            name: "a sign-in that could not be saved, after a sign-out of another process",
            steps: [.saved("a"), .signIn("b"), .failed("b", contents("a"))], contents: .empty, result: "signed out"),
        Case(
            name: "a sign-in whose store was unreadable",
            steps: [.signIn("b"), .failed("b", .unreadable(Unreadable()))],
            contents: contents("a"), result: "unsaved b"),
        Case(
            name: "an unsaved refresh over the same token", steps: [.saved("a"), .unsaved("b", contents("a"))],
            contents: contents("a"), result: "unsaved b"),
        Case(
            name: "an unsaved refresh after one of another process",
            steps: [.saved("a"), .unsaved("b", contents("a"))],
            contents: contents("c"), result: "stored c"),
        Case(
            name: "an unsaved refresh that was removed from memory",
            steps: [.saved("a"), .unsaved("b", contents("a"))],
            contents: contents("a"), old: nil, result: "signed out"),
        Case(
            name: "a sign-out that has begun", steps: [.saved("a"), .unsaved("b", contents("a")), .beginSignOut],
            contents: contents("a"), result: "signed out"),
        Case(
            name: "a sign-out that has begun, without a user", steps: [.saved("a"), .beginSignOut],
            contents: contents("a"), old: nil, needsSignIn: false, result: "stored"),
        Case(
            name: "a sign-in after a sign-out that failed", steps: [.saved("a"), .beginSignOut, .signIn("b")],
            contents: contents("a"), result: "unsaved b"),
        Case(
            name: "a sign-in of another process after a sign-out", steps: [.saved("a"), .beginSignOut, .endSignOut],
            contents: contents("b"), old: nil, result: "stored b"),
        Case(
            name: "a late refresh", steps: [.saved("a"), .late("b", after: "a")], contents: contents("a"), old: "a",
            result: "unsaved b"),
    ]

    private func state(after steps: [Step]) -> TokenRenewalState {
        var state = TokenRenewalState()
        for step in steps {
            switch step {
            case .signIn(let value): _ = state.begin(saving: Self.token(value))
            case .failed(let value, let contents):
                state.failed(saving: Self.token(value), over: contents, isReported: false)
            case .saved(let value): state.note(Self.token(value))
            case .unsaved(let value, let contents):
                state.keepUnsaved(Self.token(value), over: contents, in: state.generation)
            case .late(let value, let old):
                _ = state.keepLate(
                    Self.token(value), after: Self.token(old), over: Self.contents(old), in: state.generation)
            case .beginSignOut: state.beginSignOut()
            case .endSignOut: state.endSignOut()
            }
        }
        return state
    }

    /// Returns the name of the token from which a renewal continues.
    private func result(of example: Case) -> String {
        var state = state(after: example.steps)
        do {
            let old = example.old.map { Self.token($0) }
            switch try state.start(over: example.contents, old: old, needsSignIn: example.needsSignIn) {
            case .unsaved(let token): return "unsaved \(token.value)"
            case .stored(let token): return token.map { "stored \($0.value)" } ?? "stored"
            }
        } catch is Unreadable {
            return "unreadable"
        } catch {
            return (error as? OAuthError)?.reason == .signInRequired ? "signed out" : "\(error)"
        }
    }

    @Test("A renewal continues from the latest token that is not signed out", arguments: cases)
    func start(example: Case) {
        let result = result(of: example)
        #expect(result == example.result)
    }

    @Test("A refresh that began before a sign-in or a sign-out changes nothing", arguments: [true, false])
    func outOfDate(isSignOut: Bool) {
        var state = state(after: [.saved("a")])
        let generation = state.generation
        if isSignOut { state.beginSignOut() } else { _ = state.begin(saving: Self.token("b")) }
        let unsaved = state.unsaved?.token
        state.keep(Self.token("a1"), in: generation)
        state.keepUnsaved(Self.token("a1"), over: nil, in: generation)
        let isKept = state.keepLate(Self.token("a1"), after: nil, over: nil, in: generation)
        #expect(!isKept && state.unsaved?.token == unsaved && state.saved == Self.token("a"))
    }

    @Test("A token is saved again only if a renewal has not just reported its failure")
    func savedAgain() {
        var state = state(after: [.saved("a"), .unsaved("b", Self.contents("a"))])
        let (first, second) = (state.begin(saving: Self.token("b")), state.begin(saving: Self.token("b")))
        #expect(!first && second)
        state.note(Self.token("b"))
        let third = state.begin(saving: Self.token("b"))
        #expect(!third)
    }

    @Test("A late token replaces only the token that was sent")
    func late() {
        let state = state(after: [.saved("a"), .late("b", after: "a")])
        #expect(state.late(after: Self.token("a")) == Self.token("b"))
        #expect(state.late(after: Self.token("c")) == nil && state.late(after: nil) == nil)
    }
}
