// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The tokens that a ``TokenRenewal`` knows, and its decisions between them, as a value.
package struct TokenRenewalState: Sendable {
    /// The contents of a store.
    package enum Contents: Sendable {
        case empty
        case token(AccessToken)
        /// The store could not be read, such as a file that is damaged or belongs to another client.
        case unreadable(any Error)
    }

    /// A token that the store does not have.
    package struct Unsaved: Sendable {
        package let token: AccessToken
        /// The contents that the token may replace; `nil` for any.
        ///
        /// A sign-in replaces any contents, until an attempt to save it has failed: what the store has later than that is
        /// the sign-in, or the sign-out, of another process. Contents that could not be read are replaced, too.
        package fileprivate(set) var replaceable: Contents?
        /// The value of the token that a refresh replaced after its time limit; `nil` for other tokens.
        package fileprivate(set) var predecessor: String?
        /// True if a renewal has reported that the token could not be saved.
        package fileprivate(set) var isReported = false
    }

    /// The token from which a renewal continues.
    package enum Start: Sendable, Equatable {
        /// The unsaved token, which should be saved first.
        case unsaved(AccessToken)
        /// The token of the store; `nil` if it has none.
        case stored(AccessToken?)
    }

    /// The token that was saved or loaded last.
    package private(set) var saved: AccessToken?
    package private(set) var unsaved: Unsaved?
    /// The number of sign-ins and sign-outs: a refresh that began before the last one is out of date.
    package private(set) var generation = 0
    /// The refresh token that the server rejected, so that it is not sent again.
    package var rejected: String?
    /// True if the store had a token at any time.
    private var wasSaved = false
    /// True from the beginning of a sign-out until the store is empty, or has the token of a later sign-in.
    private var isSignedOut = false

    /// Creates a state.
    ///
    /// - Parameter signedIn: The token of a sign-in that the store does not have yet.
    package init(signedIn: AccessToken? = nil) { unsaved = signedIn.map { Unsaved(token: $0) } }

    /// Notes a token that was loaded or saved.
    package mutating func note(_ token: AccessToken) {
        saved = token
        wasSaved = true
        unsaved = nil
    }

    // MARK: Renewals

    /// Returns the token from which a renewal continues.
    ///
    /// - Parameters:
    ///   - contents: The contents of the store.
    ///   - old: The token to renew; `nil` without a token in memory.
    ///   - needsSignIn: True if only a user can give another first token.
    /// - Returns: The token.
    /// - Throws: The error of the store; ``OAuthError`` after a sign-out.
    package mutating func start(
        over contents: Contents, old: AccessToken?, needsSignIn: Bool
    ) throws -> Start {
        if let unsaved {
            // Without a token in memory, it was removed, and is about to be removed here.
            guard old != nil || !needsSignIn else { throw Self.signedOut }
            if unsaved.replaceable.map({ $0.isSame(as: contents) }) ?? true { return .unsaved(unsaved.token) }
            // Another process has changed the store since.
            self.unsaved = nil
        }
        guard !isSignedOut else {
            guard !needsSignIn else { throw Self.signedOut }
            return .stored(nil)
        }
        switch contents {
        case .unreadable(let error): throw error
        case .empty:
            guard !needsSignIn || !wasSaved else { throw Self.signedOut }
            return .stored(nil)
        case .token(let token):
            // A token that was removed from memory is about to be removed from the store.
            guard !needsSignIn || old != nil || saved?.value != token.value else { throw Self.signedOut }
            note(token)
            return .stored(token)
        }
    }

    /// Returns the token of a refresh that ended after its time limit, for a store that no other process uses.
    package func late(after old: AccessToken?) -> AccessToken? {
        guard let old, let unsaved, unsaved.predecessor == old.value else { return nil }
        return unsaved.token
    }

    /// Notes a renewed token that was saved.
    package mutating func keep(_ token: AccessToken, in generation: Int) {
        guard generation == self.generation else { return }
        isSignedOut = false
        note(token)
    }

    /// Notes a renewed token that could not be saved, which was reported.
    package mutating func keepUnsaved(_ token: AccessToken, over contents: Contents?, in generation: Int) {
        guard generation == self.generation else { return }
        unsaved = Unsaved(token: token, replaceable: contents?.ifKnown, isReported: true)
    }

    /// Notes the token of a refresh that ended after its time limit.
    ///
    /// - Returns: False if the token is out of date.
    package mutating func keepLate(
        _ token: AccessToken, after old: AccessToken?, over contents: Contents?, in generation: Int
    ) -> Bool {
        guard generation == self.generation, unsaved == nil else { return false }
        unsaved = Unsaved(token: token, replaceable: contents?.ifKnown, predecessor: old?.value)
        return true
    }

    /// Notes that the unsaved token could not be saved.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - contents: The contents of the store; `nil` if they are unknown.
    ///   - isReported: True if a renewal has reported it, so that saving the same token again is no news.
    package mutating func failed(saving token: AccessToken, over contents: Contents?, isReported: Bool) {
        guard unsaved?.token == token else { return }
        if let contents = contents?.ifKnown { unsaved?.replaceable = contents }
        unsaved?.isReported = isReported
    }

    // MARK: Sign-ins and sign-outs

    /// Begins to save a token.
    ///
    /// - Returns: False if the token is saved already, or if a renewal has just tried it and has reported the failure.
    package mutating func begin(saving token: AccessToken) -> Bool {
        isSignedOut = false
        guard let unsaved, unsaved.token == token else {
            guard saved != token || unsaved != nil else { return false }
            generation += 1
            unsaved = Unsaved(token: token)
            return true
        }
        self.unsaved?.isReported = false
        return !unsaved.isReported
    }

    /// Begins a sign-out: from now on, neither the store nor a refresh brings a token back.
    package mutating func beginSignOut() {
        generation += 1
        unsaved = nil
        isSignedOut = true
    }

    /// Ends a sign-out, after the store was cleared.
    package mutating func endSignOut() {
        saved = nil
        isSignedOut = false
    }

    private static var signedOut: OAuthError {
        OAuthError(.signInRequired, message: "the saved token was removed by a sign-out; sign in again")
    }
}

extension TokenRenewalState.Contents {
    /// The contents; `nil` if they could not be read.
    fileprivate var ifKnown: Self? {
        if case .unreadable = self { nil } else { self }
    }

    /// Returns true if a store with these contents has not been changed.
    ///
    /// Only the values of tokens are compared: a date that was saved can differ by a rounding error.
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.empty, .empty): true
        case (.token(let one), .token(let two)): one.value == two.value
        default: false
        }
    }
}
