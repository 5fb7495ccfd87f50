// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Apple's Security with the declarations that this project uses, for type-checking; it is never run.
@_exported import CoreFoundation

// https://developer.apple.com/documentation/kernel/osstatus
public typealias OSStatus = Int32
// https://developer.apple.com/documentation/security/errsecsuccess
public let errSecSuccess: OSStatus = 0
// https://developer.apple.com/documentation/security/sectrust
public final class SecTrust {}
// https://developer.apple.com/documentation/security/seccertificate
public final class SecCertificate {}
// https://developer.apple.com/documentation/security/secidentity
public final class SecIdentity {}
// https://developer.apple.com/documentation/security/tls_protocol_version_t
public enum tls_protocol_version_t: UInt16, Sendable {
    case TLSv10 = 0x0301, TLSv11, TLSv12, TLSv13, DTLSv10 = 0xFEFF, DTLSv12 = 0xFEFD
}
// https://developer.apple.com/documentation/security/secpolicy
public final class SecPolicy {}
// https://developer.apple.com/documentation/security/secpolicycreatessl(_:_:)
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy() }
// https://developer.apple.com/documentation/security/seccertificatecreatewithdata(_:_:)
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }
// https://developer.apple.com/documentation/security/seccertificatecopydata(_:)
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { fatalError("a stub") }
// https://developer.apple.com/documentation/security/sectrustcreatewithcertificates(_:_:_:)
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: Any, _ policies: Any?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/sectrustsetpolicies(_:_:)
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: Any) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/sectrustsetanchorcertificates(_:_:)
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/sectrustsetanchorcertificatesonly(_:_:)
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/sectrustevaluatewitherror(_:_:)
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { false }
// https://developer.apple.com/documentation/security/sectrustcopycertificatechain(_:)
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
// https://developer.apple.com/documentation/security/secpkcs12import(_:_:_:)
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/ksecimportexportpassphrase
public let kSecImportExportPassphrase: CFString = ""
// https://developer.apple.com/documentation/security/ksecimporttomemoryonly
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
public let kSecImportToMemoryOnly: CFString = ""
// https://developer.apple.com/documentation/security/ksecimportitemidentity
public let kSecImportItemIdentity: CFString = ""
// https://developer.apple.com/documentation/security/ksecimportitemcertchain
public let kSecImportItemCertChain: CFString = ""

// https://developer.apple.com/documentation/security/secitemcopymatching(_:_:)
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/secitemadd(_:_:)
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/secitemupdate(_:_:)
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/secitemdelete(_:)
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/ksecclass
public let kSecClass: CFString = ""
// https://developer.apple.com/documentation/security/ksecclassgenericpassword
public let kSecClassGenericPassword: CFString = ""
// https://developer.apple.com/documentation/security/ksecusedataprotectionkeychain
public let kSecUseDataProtectionKeychain: CFString = ""
// https://developer.apple.com/documentation/security/ksecattrsynchronizable
public let kSecAttrSynchronizable: CFString = ""
// https://developer.apple.com/documentation/security/ksecattrservice
public let kSecAttrService: CFString = ""
// https://developer.apple.com/documentation/security/ksecattraccount
public let kSecAttrAccount: CFString = ""
// https://developer.apple.com/documentation/security/ksecattraccessgroup
public let kSecAttrAccessGroup: CFString = ""
// https://developer.apple.com/documentation/security/ksecreturndata
public let kSecReturnData: CFString = ""
// https://developer.apple.com/documentation/security/ksecvaluedata
public let kSecValueData: CFString = ""
// https://developer.apple.com/documentation/security/ksecattraccessible
public let kSecAttrAccessible: CFString = ""
// https://developer.apple.com/documentation/security/ksecattraccessibleafterfirstunlockthisdeviceonly
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = ""
// https://developer.apple.com/documentation/security/ksecattraccessiblewhenunlockedthisdeviceonly
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = ""

// https://developer.apple.com/documentation/security/tls_ciphersuite_t
public struct tls_ciphersuite_t: RawRepresentable, Sendable {
    // https://developer.apple.com/documentation/security/tls_ciphersuite_t/rawvalue
    public var rawValue: UInt16
    // https://developer.apple.com/documentation/security/tls_ciphersuite_t/init(rawvalue:)
    public init(rawValue: UInt16) { self.rawValue = rawValue }
}
