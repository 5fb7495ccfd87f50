// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// What a stub's answer has for a body.
public enum StubBody: Sendable {
    /// Nothing.
    case empty
    /// The bytes of a file, by its path.
    case file(String)
    /// These bytes.
    case data(Data)
    /// A text in UTF-8.
    case text(String)
    /// A value as JSON, its keys sorted.
    case encodable(any Encodable & Sendable)

    /// The answer with this body.
    var response: StubResponse {
        switch self {
        case .empty: StubResponse()
        case .file(let path): .file(path)
        case .data(let bytes): StubResponse(body: bytes)
        case .text(let text): .text(text)
        case .encodable(let value): .json(value)
        }
    }
}

/// The name that ``StubBody`` has elsewhere.
public typealias HTTPStubBody = StubBody
