// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(watchOS) || !os(Linux) && !canImport(Network)
/// The network source of an unsupported system: it reports an unknown status.
///
/// watchOS is one of them: a path monitor there "will remain in the unsatisfied state", and BSD sockets do not work
/// (Apple's TN3135), so it would report that there is never a network.
package enum SystemNetwork {
    package static let source: any NetworkSource = UnavailableNetworkSource()
}
#endif
