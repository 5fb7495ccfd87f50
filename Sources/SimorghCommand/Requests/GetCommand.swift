// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import ArgumentParser
package import Simorgh

/// `simorgh get URL`.
package struct GetCommand: RequestCommand {
    package static let method = RequestMethod.get
    package static let configuration = describe("Fetches a URL.")

    @OptionGroup package var arguments: RequestArguments

    package init() {}
}
