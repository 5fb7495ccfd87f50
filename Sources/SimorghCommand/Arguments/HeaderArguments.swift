// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import HTTPTypes
import Simorgh
import SimorghSupport

/// The argument for the caller's header fields.
package struct HeaderArguments: ParsableArguments {
    @Option(
        name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A header field; repeat it for more.", valueName: "name: value"))
    package var headers: [String] = []

    package init() {}

    /// Parses the header fields; an error names the number of a field, because its text may be a credential.
    ///
    /// - Returns: The fields.
    /// - Throws: ``CommandError`` that names the invalid argument.
    package func fields() throws(CommandError) -> [HTTPField] {
        var fields: [HTTPField] = []
        for (index, text) in headers.enumerated() {
            guard let halves = text[...].halves(at: ":") else {
                throw .usage("-H takes 'Name: value': header \(index + 1) has no colon")
            }
            do {
                let value = halves.behind.drop { $0 == " " || $0 == "\t" }
                fields.append(try HeaderRules.field(name: String(halves.before), value: String(value)))
            } catch {
                throw .usage(error.message)
            }
        }
        return fields
    }
}
#endif
