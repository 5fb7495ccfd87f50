// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The ASCII encoding for labels of host names (RFC 3492).
enum Punycode {
    // The parameters of RFC 3492, section 5.
    private static let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)
    private static let (initialBias, initialCode) = (72, 128)

    /// Encodes a label; the time is proportional to the number of scalars times the number of different ones.
    ///
    /// - Parameter label: The scalars of the label. The caller limits their number: with 64 of them every sum is below
    ///   2^31.
    /// - Returns: The encoded label, without the prefix `xn--`.
    static func encoded(_ label: [Unicode.Scalar]) -> String {
        var output = label.filter(\.isASCII).map { UInt8($0.value) }
        let basicCount = output.count
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (code, delta, bias, handled) = (initialCode, 0, initialBias, basicCount)
        while handled < label.count, let next = label.lazy.map({ Int($0.value) }).filter({ $0 >= code }).min() {
            delta += (next - code) * (handled + 1)
            code = next
            for scalar in label {
                if scalar.value < code { delta += 1 }
                guard scalar.value == code else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Writes a number with digits whose weights depend on the bias (RFC 3492, section 3.3).
    private static func append(_ number: Int, bias: Int, to output: inout [UInt8]) {
        var rest = number
        var weight = base
        while true {
            let threshold = min(max(weight - bias, tMin), tMax)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            weight += base
        }
        output.append(digit(rest))
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var bias = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            bias += base
        }
        return bias + (base - tMin + 1) * delta / (delta + skew)
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)
    }
}
