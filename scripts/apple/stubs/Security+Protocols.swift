// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The options of a TLS connection of Network.
import Dispatch

// https://developer.apple.com/documentation/security/sec_protocol_options_t
public final class sec_protocol_options_t: @unchecked Sendable {}
// https://developer.apple.com/documentation/security/sec_protocol_metadata_t
public final class sec_protocol_metadata_t: @unchecked Sendable {}
// https://developer.apple.com/documentation/security/sec_trust_t
public final class sec_trust_t: @unchecked Sendable {}
// https://developer.apple.com/documentation/security/sec_protocol_verify_complete_t
public typealias sec_protocol_verify_complete_t = (Bool) -> Void
// https://developer.apple.com/documentation/security/sec_protocol_verify_t
public typealias sec_protocol_verify_t =
    (sec_protocol_metadata_t, sec_trust_t, @escaping sec_protocol_verify_complete_t) -> Void
// https://developer.apple.com/documentation/security/sec_protocol_options_set_verify_block(_:_:_:)
public func sec_protocol_options_set_verify_block(
    _ options: sec_protocol_options_t, _ verify_block: @escaping sec_protocol_verify_t,
    _ verify_block_queue: DispatchQueue
) {}
// https://developer.apple.com/documentation/security/sec_protocol_options_set_tls_server_name(_:_:)
public func sec_protocol_options_set_tls_server_name(
    _ options: sec_protocol_options_t, _ server_name: UnsafePointer<CChar>
) {}
// https://developer.apple.com/documentation/security/sec_protocol_options_add_tls_application_protocol(_:_:)
public func sec_protocol_options_add_tls_application_protocol(
    _ options: sec_protocol_options_t, _ application_protocol: UnsafePointer<CChar>
) {}
// https://developer.apple.com/documentation/security/sec_protocol_options_set_min_tls_protocol_version(_:_:)
public func sec_protocol_options_set_min_tls_protocol_version(
    _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {}
// https://developer.apple.com/documentation/security/sec_protocol_options_set_max_tls_protocol_version(_:_:)
public func sec_protocol_options_set_max_tls_protocol_version(
    _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {}
// https://developer.apple.com/documentation/security/sec_protocol_options_set_tls_resumption_enabled(_:_:)
public func sec_protocol_options_set_tls_resumption_enabled(
    _ options: sec_protocol_options_t, _ resumption_enabled: Bool
) {}
// https://developer.apple.com/documentation/security/sec_identity_t
public final class sec_identity_t: @unchecked Sendable {}
// https://developer.apple.com/documentation/security/sec_identity_create_with_certificates(_:_:)
public func sec_identity_create_with_certificates(
    _ identity: SecIdentity, _ certificates: CFArray
) -> sec_identity_t? { nil }
// https://developer.apple.com/documentation/security/sec_protocol_options_set_local_identity(_:_:)
public func sec_protocol_options_set_local_identity(
    _ options: sec_protocol_options_t, _ identity: sec_identity_t
) {}
// https://developer.apple.com/documentation/security/sec_trust_copy_ref(_:)
public func sec_trust_copy_ref(_ trust: sec_trust_t) -> Unmanaged<SecTrust> { fatalError("a stub") }
