// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh

/// `simorgh patch URL`.
package struct PatchCommand: RequestCommand {
    package static let method = RequestMethod.patch
    package static let configuration = describe(
        "Changes part of the resource at a URL.",
        examples: [#"patch api.example.com/users/7 --json '{"name": "Rudabeh"}'"#])

    @OptionGroup package var arguments: RequestArguments

    package init() {}
}
#endif
