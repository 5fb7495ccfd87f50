// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The body of a stub's response.
public enum StubBody: Sendable {
    /// No body.
    case empty
    /// The bytes of the file at a path.
    case file(String)
    /// The given bytes.
    case data(Data)
    /// Text in UTF-8.
    case text(String)
    /// A value as JSON with sorted keys.
    case encodable(any Encodable & Sendable)

    /// The response with this body.
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

/// The name of ``StubBody`` in other libraries.
public typealias HTTPStubBody = StubBody
