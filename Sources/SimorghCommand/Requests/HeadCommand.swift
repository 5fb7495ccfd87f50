// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh

/// `simorgh head URL`.
package struct HeadCommand: RequestCommand {
    package static let method = RequestMethod.head
    package static let configuration = describe(
        "Fetches the response head of a URL, and prints it.",
        examples: [
            "head https://example.com/report.pdf",
            "head https://example.com/ --verbose",
        ])

    @OptionGroup package var arguments: RequestArguments

    package init() {}
}
#endif
