// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if YAML
import Dispatch
import Foundation
import SimorghCore
import Synchronization
import Yams

/// Reads a YAML document as JSON, as OpenAPI defines it: keys are text, and there are no other types than JSON's.
enum YAMLDocument {
    /// The largest nesting depth, as for JSON.
    private static let maximumDepth = 128
    /// The stack of the parser's thread.
    ///
    /// The parser recurses once per level, up to 1,000, before the depth is checked. Releasing the nodes recurses once per
    /// level, too, also into aliases: 50 anchors with 1,000 levels each need up to 50,000 levels.
    private static let stackBytes = 64 * 1024 * 1024

    static func json(from bytes: Data, limits: OpenAPIContract.Limits) throws -> JSON {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ContractDocumentError("the document is not UTF-8")
        }
        try YAMLAliasCheck.check([UInt8](bytes))
        let (result, hasEnded) = (ResultBox(), DispatchSemaphore(value: 0))
        let thread = Thread {
            result.value.withLock { $0 = parse(text, limits: limits) }
            hasEnded.signal()
        }
        thread.stackSize = stackBytes
        thread.start()
        hasEnded.wait()
        return try result.value.withLock { $0 }.get()
    }

    /// The result of the parser's thread.
    private final class ResultBox: Sendable {
        let value: Mutex<Result<JSON, ContractDocumentError>>

        init() { value = Mutex(.failure(ContractDocumentError("the parser has not run"))) }
    }

    private static func parse(_ text: String, limits: OpenAPIContract.Limits) -> Result<JSON, ContractDocumentError> {
        do {
            guard let root = try Yams.Parser(yaml: text, encoding: .utf8).singleRoot() else {
                return .failure(ContractDocumentError("the document is empty"))
            }
            var reader = YAMLNodeReader(remaining: limits.values, maximumDepth: maximumDepth)
            return .success(try reader.json(from: root, depth: 0))
        } catch {
            return .failure(
                error as? ContractDocumentError ?? ContractDocumentError("the document is not valid YAML: \(error)"))
        }
    }
}
#endif
