// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// What is kept of a response beside its body.
package struct StoredResponse: Sendable, Equatable {
    /// A field of the request by which the server chose the response, and what the request had there.
    package struct Selector: Sendable, Equatable {
        package var name: HTTPField.Name
        /// As ``CacheVary/normalized(_:of:)`` gives it; `nil` where the request had no such field.
        package var value: String?

        package init(name: HTTPField.Name, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The URL that it answers.
    package var url: String
    /// Whose it is; see ``CachePartition``.
    package var partition: String
    package var status: Int
    /// The fields that are kept, in their order.
    package var fields: HTTPFields { didSet { facts = StoredFacts(fields) } }
    /// What they say of the response's use.
    package private(set) var facts: StoredFacts
    /// By what it was chosen; empty where every request of the URL gets it.
    package var selectors: [Selector] = []
    /// When the request was sent, in milliseconds since 1970.
    package var requestTime: Int64
    /// When the head of the response came, in milliseconds since 1970.
    package var responseTime: Int64
    /// Whether the transport was to undo the coding of the body.
    package var isDecoded: Bool
    /// Whether it must not be used again before the server has said that it holds.
    package var isInvalidated = false

    package init(
        url: String, partition: String, status: Int, fields: HTTPFields, requestTime: Int64, responseTime: Int64,
        isDecoded: Bool
    ) {
        self.url = url
        self.partition = partition
        self.status = status
        self.fields = fields
        facts = StoredFacts(fields)
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.isDecoded = isDecoded
    }

    /// What the response says of caching.
    package var control: CacheControl { facts.control }

    /// The names by which the response can be purged.
    package var tags: [String] { FieldList.members(CacheFields.cacheTag, of: fields) }
}
