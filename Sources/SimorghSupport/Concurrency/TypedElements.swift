// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An iterator with a single type of error, for code of this package that depends on that type.
///
/// The public `next(isolation:)` of such an iterator throws untyped: with a typed failure, Swift 6.3 crashes on a
/// user's loop whose `catch` has a pattern and a `where` clause.
package protocol TypedIterator: AsyncIteratorProtocol {
    /// The type of all errors that are thrown.
    associatedtype TypedFailure: Error

    /// Returns the next element, or `nil` at the end.
    ///
    /// - Parameter actor: The isolation of the caller.
    /// - Returns: The next element.
    /// - Throws: `TypedFailure`.
    mutating func typedNext(isolation actor: isolated (any Actor)?) async throws(TypedFailure) -> Element?
}

/// A view of a public sequence with the type of its errors.
package struct TypedElements<Base: AsyncSequence>: AsyncSequence where Base.AsyncIterator: TypedIterator {
    package typealias Element = Base.Element
    package typealias Failure = Base.AsyncIterator.TypedFailure

    private let base: Base

    package init(_ base: Base) { self.base = base }

    package func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator

        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(Base.AsyncIterator.TypedFailure) -> Base.Element? {
            try await base.typedNext(isolation: actor)
        }
    }
}

extension TypedElements: Sendable where Base: Sendable {}
