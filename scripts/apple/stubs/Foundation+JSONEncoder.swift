// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Foundation for type-checking on Linux (scripts/apple/typecheck): the strategies of JSONEncoder.

extension JSONEncoder {
    // https://developer.apple.com/documentation/foundation/jsonencoder/dateencodingstrategy-swift.enum
    public enum DateEncodingStrategy: Sendable {
        // https://developer.apple.com/documentation/foundation/jsonencoder/dateencodingstrategy-swift.enum/deferredtodate
        case deferredToDate
    }

    // https://developer.apple.com/documentation/foundation/jsonencoder/dataencodingstrategy-swift.enum
    public enum DataEncodingStrategy: Sendable {
        // https://developer.apple.com/documentation/foundation/jsonencoder/dataencodingstrategy-swift.enum/base64
        case base64
    }

    // https://developer.apple.com/documentation/foundation/jsonencoder/nonconformingfloatencodingstrategy-swift.enum
    public enum NonConformingFloatEncodingStrategy: Sendable {
        // https://developer.apple.com/documentation/foundation/jsonencoder/nonconformingfloatencodingstrategy-swift.enum/throw
        case `throw`
    }

    // https://developer.apple.com/documentation/foundation/jsonencoder/keyencodingstrategy-swift.enum
    public enum KeyEncodingStrategy: Sendable {
        // https://developer.apple.com/documentation/foundation/jsonencoder/keyencodingstrategy-swift.enum/usedefaultkeys
        case useDefaultKeys
    }
}
