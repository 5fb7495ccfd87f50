// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Lists of small numbers, each of which is in at most one of them: adding at the end and taking out from anywhere cost
/// the same however long they are.
///
/// The numbers are places in some array of the owner's; so are the links here, which take no memory of their own for
/// each element. A list is no more than its two ``Ends``.
package struct LinkedLists: Sendable {
    /// A list: its first and its last element.
    package struct Ends: Sendable, Equatable {
        /// The element that was added before all others.
        package fileprivate(set) var first: Int?
        /// The element that was added after all others.
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

    /// Adds an element that is in no list at the end of one.
    package mutating func append(_ element: Int, to list: inout Ends) {
        while links.count <= element { links.append(Link()) }
        links[element] = Link(older: list.last, newer: nil)
        if let last = list.last { links[last].newer = element } else { list.first = element }
        list.last = element
    }

    /// Takes an element out of the list that it is in.
    package mutating func remove(_ element: Int, from list: inout Ends) {
        let link = links[element]
        if let older = link.older { links[older].newer = link.newer } else { list.first = link.newer }
        if let newer = link.newer { links[newer].older = link.older } else { list.last = link.older }
    }

    /// The element that was added just before another one of the same list.
    package func older(than element: Int) -> Int? { links[element].older }

    /// The element that was added just after another one of the same list.
    package func newer(than element: Int) -> Int? { links[element].newer }

    /// All elements of a list, the first first; for tests.
    package func elements(of list: Ends) -> [Int] {
        Array(
            sequence(state: list.first) { next -> Int? in
                defer { next = next.flatMap { newer(than: $0) } }
                return next
            })
    }
}
