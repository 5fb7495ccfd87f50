// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh

/// `simorgh delete URL`.
package struct DeleteCommand: RequestCommand {
    package static let method = RequestMethod.delete
    package static let configuration = describe(
        "Deletes the resource at a URL.",
        examples: ["delete api.example.com/users/7 --user @credentials"])

    @OptionGroup package var arguments: RequestArguments

    package init() {}
}
#endif
