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

    /// All of it: shared by copies, which are made at each request that it may answer, until one of them is changed.
    private struct Values: Sendable, Equatable {
        var url: String
        var partition: String
        var status: Int
        var fields: HTTPFields { didSet { facts = StoredFacts(fields) } }
        private(set) var facts: StoredFacts
        var selectors: [Selector] = []
        var requestTime: Int64
        var responseTime: Int64
        var isDecoded: Bool
        var isInvalidated = false
    }

    private final class Storage: Sendable {
        let values: Values
        init(_ values: Values) { self.values = values }
    }

    private var storage: Storage

    package init(
        url: String, partition: String, status: Int, fields: HTTPFields, facts: StoredFacts? = nil,
        selectors: [Selector] = [], requestTime: Int64, responseTime: Int64, isDecoded: Bool,
        isInvalidated: Bool = false
    ) {
        storage = Storage(
            Values(
                url: url, partition: partition, status: status, fields: fields, facts: facts ?? StoredFacts(fields),
                selectors: selectors, requestTime: requestTime, responseTime: responseTime, isDecoded: isDecoded,
                isInvalidated: isInvalidated))
    }

    private mutating func change(_ change: (inout Values) -> Void) {
        var values = storage.values
        change(&values)
        storage = Storage(values)
    }

    package static func == (one: StoredResponse, other: StoredResponse) -> Bool {
        one.storage === other.storage || one.storage.values == other.storage.values
    }
}

extension StoredResponse {
    /// The URL that it answers.
    package var url: String {
        get { storage.values.url }
        set { change { $0.url = newValue } }
    }
    /// Whose it is; see ``CachePartition``.
    package var partition: String {
        get { storage.values.partition }
        set { change { $0.partition = newValue } }
    }
    package var status: Int {
        get { storage.values.status }
        set { change { $0.status = newValue } }
    }
    /// The fields that are kept, in their order.
    package var fields: HTTPFields {
        get { storage.values.fields }
        set { change { $0.fields = newValue } }
    }
    /// What they say of the response's use.
    package var facts: StoredFacts { storage.values.facts }
    /// By what it was chosen; empty where every request of the URL gets it.
    package var selectors: [Selector] {
        get { storage.values.selectors }
        set { change { $0.selectors = newValue } }
    }
    /// When the request was sent, in milliseconds since 1970.
    package var requestTime: Int64 {
        get { storage.values.requestTime }
        set { change { $0.requestTime = newValue } }
    }
    /// When the head of the response came, in milliseconds since 1970.
    package var responseTime: Int64 {
        get { storage.values.responseTime }
        set { change { $0.responseTime = newValue } }
    }
    /// Whether the transport was to undo the coding of the body.
    package var isDecoded: Bool {
        get { storage.values.isDecoded }
        set { change { $0.isDecoded = newValue } }
    }
    /// Whether it must not be used again before the server has said that it holds.
    package var isInvalidated: Bool {
        get { storage.values.isInvalidated }
        set { change { $0.isInvalidated = newValue } }
    }

    /// What the response says of caching.
    package var control: CacheControl { storage.values.facts.control }

    /// The names by which the response can be purged.
    package var tags: [String] { FieldList.members(CacheFields.cacheTag, of: fields) }
}
