// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Linked lists of small numbers, each of which is in at most one list; appending and removing are O(1).
///
/// The numbers are indices into an array of the owner. The links are in one array as well, so that no element
/// allocates memory. A list is only its two ``Ends``.
package struct IntrusiveLists: Sendable {
    /// A list, represented by its first and last element.
    package struct Ends: Sendable, Equatable {
        /// The oldest element.
        package fileprivate(set) var first: Int?
        /// The newest element.
        package fileprivate(set) var last: Int?

        package init() {}

        package var isEmpty: Bool { first == nil }
    }

    private struct Link: Sendable {
        var older: Int?
        var newer: Int?
    }

    private var links: [Link] = []

    package init() {}

    /// Appends an element that is in no list.
    package mutating func append(_ element: Int, to list: inout Ends) {
        while links.count <= element { links.append(Link()) }
        links[element] = Link(older: list.last, newer: nil)
        if let last = list.last { links[last].newer = element } else { list.first = element }
        list.last = element
    }

    /// Removes an element from its list.
    package mutating func remove(_ element: Int, from list: inout Ends) {
        let link = links[element]
        if let older = link.older { links[older].newer = link.newer } else { list.first = link.newer }
        if let newer = link.newer { links[newer].older = link.older } else { list.last = link.older }
    }

    /// Returns the element before an element of the same list.
    package func older(than element: Int) -> Int? { links[element].older }

    /// Returns the element after an element of the same list.
    package func newer(than element: Int) -> Int? { links[element].newer }

    /// Returns all elements of a list, the oldest first; for tests.
    package func elements(of list: Ends) -> [Int] {
        Array(
            sequence(state: list.first) { next -> Int? in
                defer { next = next.flatMap { newer(than: $0) } }
                return next
            })
    }
}
