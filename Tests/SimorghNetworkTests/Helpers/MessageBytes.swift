// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Builds rtnetlink messages as the kernel does.
enum MessageBytes {
    static func bytes(of number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        padded(bytes(of: UInt16(value.count + 4)) + bytes(of: type) + value)
    }

    static func message(_ type: UInt16, flags: UInt16 = 0, sequence: UInt32 = 0, _ payload: [UInt8]) -> [UInt8] {
        padded(
            bytes(of: UInt32(payload.count + 16)) + bytes(of: type) + bytes(of: flags) + bytes(of: sequence)
                + bytes(of: UInt32(0)) + payload)
    }

    static func link(_ index: Int32, type: UInt16 = 1, flags: UInt32 = 0x1_0043, _ attributes: [UInt8]) -> [UInt8] {
        [0, 0] + bytes(of: type) + bytes(of: index) + bytes(of: flags) + bytes(of: UInt32(0)) + attributes
    }

    static func route(
        _ family: UInt8, length: UInt8 = 0, type: UInt8 = 1, _ attributes: [UInt8]
    ) -> [UInt8] {
        [family, length, 0, 0, 254, 3, 0, type] + bytes(of: UInt32(0)) + attributes
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
}
