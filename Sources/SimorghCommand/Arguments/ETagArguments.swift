// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghSupport

/// The arguments for the entity tag of a response, as curl has them.
package struct ETagArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Save the ETag of a successful response to this file, once its body is complete.",
            discussion: "Without an ETag, the file becomes empty.", valueName: "file"),
        completion: .file())
    package var etagSave: String?

    @Option(
        help: ArgumentHelp(
            "Fetch only if the ETag differs from the one in this file; otherwise print nothing.",
            discussion: "A missing or empty file fetches always. It may be the file of --etag-save.", valueName: "file"),
        completion: .file())
    package var etagCompare: String?

    package init() {}

    /// Applies the arguments to a request.
    ///
    /// - Parameter request: The request.
    /// - Throws: ``CommandError`` that names the invalid argument.
    package func apply(to request: inout RequestDescription) throws(CommandError) {
        if etagSave?.isEmpty == true { throw .usage("--etag-save takes the name of a file") }
        request.etagSave = etagSave
        guard let path = etagCompare else { return }
        guard !path.isEmpty else { throw .usage("--etag-compare takes the name of a file") }
        guard !request.fields.contains(where: { $0.name == .ifNoneMatch }) else {
            throw .usage("--etag-compare and -H 'If-None-Match: …' both set the condition: use only one")
        }
        request.comparesETag = true
        guard access(path, F_OK) == 0 else { return }
        let text = try TextFile.read(path, of: "--etag-compare", upTo: 64 * 1024)
        guard let line = text.split(whereSeparator: \.isNewline).first else { return }
        do {
            request.fields.append(try HeaderRules.field(name: "If-None-Match", value: String(line)))
        } catch {
            throw .usage("--etag-compare \(path): \(error.message)")
        }
    }
}
#endif
