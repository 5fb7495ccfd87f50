// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore

// Puts the cache store under load, to be killed and inspected afterwards (scripts/interop/cache-crash).
//   CacheProbe write FOLDER SEED     writes, changes, reads and removes blobs until it is killed
//   CacheProbe check FOLDER          exits with 1 unless every blob matches its metadata and its last recorded state,
//                                    and the quota holds
//   CacheProbe starve FOLDER         exits with 1 if the store loses blobs or serves outdated ones when no descriptor
//                                    is available
//   CacheProbe fill FOLDER COUNT     writes COUNT small blobs
//   CacheProbe open FOLDER           prints how long it takes to open the folder
//   CacheProbe read FOLDER MEBIBYTES prints the read speed of one blob, the first time and then

let capacity: Int64 = 8 << 20

#if canImport(Glibc)
let noFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
let noFiles = Int32(RLIMIT_NOFILE)
#endif

struct Numbers: RandomNumberGenerator {
    var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

/// Returns the bytes for a seed.
func bytes(_ seed: UInt64, _ count: Int) -> Data {
    var numbers = Numbers(seed)
    var data = Data(capacity: count + 8)
    while data.count < count { withUnsafeBytes(of: numbers.next()) { data.append(contentsOf: $0) } }
    return data.prefix(count)
}

func store(_ folder: String, capacity: Int64 = capacity) -> BlobStore {
    var settings = BlobStore.Settings()
    settings.memoryCapacity = 0
    settings.diskCapacity = capacity
    settings.diskPath = folder
    return BlobStore(settings)
}

func key(_ number: UInt64) -> BlobKey {
    BlobKey(
        BlobGroup((0..<16).map { UInt8(truncatingIfNeeded: (number / 4 &* 0x9E37_79B9_7F4A_7C15) >> UInt64($0 * 4)) }),
        variant: number % 4)
}

/// Returns a blob's metadata: the seed of its bytes, their number, and the number of changes.
func metadata(_ seed: UInt64, _ count: Int, _ change: Int) -> [UInt8] { Array("\(seed):\(count):\(change)".utf8) }

func put(_ store: BlobStore, _ number: UInt64, _ seed: UInt64, _ count: Int) async {
    guard let writer = await store.write(key(number), metadata: metadata(seed, count, 0), length: nil, since: nil)
    else { return }
    let whole = bytes(seed, count)
    var place = 0
    while place < count {
        guard await writer.write(whole[place..<min(place + 40_000, count)]) else { return }
        place += 40_000
    }
    await writer.commit()
}

/// Returns the reason why a blob does not match its metadata; `nil` if it does.
func fault(_ blob: StoredBlob) async -> String? {
    let said = String(decoding: blob.metadata, as: UTF8.self).split(separator: ":").compactMap { UInt64($0) }
    guard said.count == 3 else { return "its metadata is \(blob.metadata)" }
    guard Int64(said[1]) == blob.length else { return "it has \(blob.length) bytes, and its metadata says \(said[1])" }
    guard let found = try? await blob.bytes(0..<blob.length) else { return "it cannot be read" }
    return found == bytes(said[0], Int(said[1])) ? nil : "its bytes differ"
}

/// The operations of one task, in order, each recorded before and after it: the next process may find either state.
struct Journal {
    private let handle: FileHandle
    private let path: String

    init?(_ folder: String, _ task: UInt64) {
        let path = Journal.path(folder, task)
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { return nil }
        self.handle = handle
        self.path = path
    }

    static func path(_ folder: String, _ task: UInt64) -> String { "\(folder).journal-\(task)" }

    func begin(_ name: UInt64, _ state: String) { write("begin \(name) \(state)\n") }
    func end(_ name: UInt64) { write("end \(name)\n") }

    private func write(_ line: String) {
        do {
            try handle.write(contentsOf: Data(line.utf8))
        } catch {
            // If the disk is full, an incomplete journal would no longer tell the truth.
            unlink(path)
        }
    }

    /// Returns the states that each blob may have: the last one that was completed, and the one in progress.
    static func states(_ folder: String) -> [UInt64: Set<String>] {
        var states: [UInt64: Set<String>] = [:]
        for task in UInt64(0)..<tasks {
            guard let text = try? String(contentsOfFile: path(folder, task), encoding: .utf8) else { continue }
            var begun: [UInt64: String] = [:], reached: [UInt64: String] = [:]
            // The last line may be incomplete.
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                let words = line.split(separator: " ")
                guard words.count >= 2, let name = UInt64(words[1]) else { continue }
                if words[0] == "end" {
                    reached[name] = begun.removeValue(forKey: name)
                } else if words.count == 3 {
                    begun[name] = String(words[2])
                }
            }
            for (name, state) in reached { states[name] = Set([state, begun[name]].compactMap { $0 }) }
        }
        return states
    }
}

/// The number of tasks that write concurrently, each its own blobs.
let tasks: UInt64 = 4

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(2) }
let folder = arguments[2]
let number = arguments.count > 3 ? UInt64(arguments[3]) ?? 0 : 0
/// Reads a blob like a streamed response: checked before the first byte, and then read.
func readOnce(_ store: BlobStore) async throws {
    guard let blob = await store.blobs(in: key(1).group).first else { exit(1) }
    if let check = blob.check, await !check() { exit(1) }
    for try await _ in blob.responseBody(0..<blob.length) {}
}

switch arguments[1] {
case "write":
    let store = store(folder)
    guard await store.usesDisk else { exit(3) }
    await withTaskGroup(of: Void.self) { group in
        for task in UInt64(0)..<tasks {
            group.addTask {
                var random = Numbers(number &* 7 &+ task)
                guard let journal = Journal(folder, task) else { exit(6) }
                while true {
                    // The blobs of a group belong to all tasks, and each blob to one task.
                    let name = UInt64.random(in: 0..<16, using: &random) * tasks + task
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0..<4:
                        let count =
                            Bool.random(using: &random)
                            ? Int.random(in: 0..<5000, using: &random) : Int.random(in: 0..<500_000, using: &random)
                        let seed = random.next()
                        journal.begin(name, "\(seed):\(count):0")
                        await put(store, name, seed, count)
                        journal.end(name)
                    case 4, 5:
                        for blob in await store.blobs(in: key(name).group) where blob.key == key(name) {
                            let said = String(decoding: blob.metadata, as: UTF8.self).split(separator: ":").compactMap {
                                UInt64($0)
                            }
                            guard said.count == 3 else { exit(4) }
                            let changed = metadata(said[0], Int(said[1]), Int(said[2]) + 1)
                            journal.begin(name, String(decoding: changed, as: UTF8.self))
                            await store.update(blob, metadata: changed)
                            journal.end(name)
                        }
                    case 6:
                        journal.begin(name, "gone")
                        await store.remove(key(name))
                        journal.end(name)
                    default:
                        for blob in await store.blobs(in: key(name).group) {
                            // A blob that was removed meanwhile is still intact.
                            if let fault = await fault(blob) { print("while writing: \(fault)"); exit(5) }
                        }
                    }
                }
            }
        }
    }
case "check":
    let store = store(folder)
    guard await store.usesDisk else { print("the folder cannot be opened"); exit(1) }
    let usage = await store.usage()
    guard usage.diskBytes <= capacity else { print("the quota is exceeded: \(usage.diskBytes)"); exit(1) }
    var count = 0
    let states = Journal.states(folder)
    for name in stride(from: UInt64(0), to: 64, by: 4) {
        for blob in await store.blobs(in: key(name).group) {
            if let fault = await fault(blob) { print(fault); exit(1) }
            // The blob may have been evicted, but it must not have an earlier state.
            let said = String(decoding: blob.metadata, as: UTF8.self)
            if let allowed = states[name + blob.key.variant], !allowed.contains(said) {
                print("blob \(name + blob.key.variant) is \(said), expected one of \(allowed.sorted())")
                exit(1)
            }
            count += 1
        }
    }
    guard count == usage.diskCount else { print("\(usage.diskCount) files, \(count) blobs"); exit(1) }
    print(count)
case "starve":
    let store = store(folder)
    for name in stride(from: UInt64(0), to: 40, by: 4) { await put(store, name, name, 300) }
    guard await store.usage().diskCount == 10, let old = await store.blobs(in: key(0).group).first else { exit(1) }
    // From now on no file can be opened.
    var limits = rlimit()
    guard getrlimit(noFiles, &limits) == 0 else { exit(6) }
    let before = limits.rlim_cur
    limits.rlim_cur = 0
    guard setrlimit(noFiles, &limits) == 0 else { exit(6) }
    for name in stride(from: UInt64(4), to: 40, by: 4) {
        guard await store.blobs(in: key(name).group).isEmpty else { print("read without a descriptor"); exit(1) }
    }
    await store.visit(.all) { _, _, _ in }
    await store.update(old, metadata: metadata(0, 300, 1))
    limits.rlim_cur = before
    guard setrlimit(noFiles, &limits) == 0 else { exit(6) }
    guard await store.blobs(in: key(0).group).isEmpty else { print("a blob with a failed update is served"); exit(1) }
    guard await store.usage().diskCount == 9 else { print("\(await store.usage().diskCount) of 9 are left"); exit(1) }
    for name in stride(from: UInt64(4), to: 40, by: 4) {
        guard let blob = await store.blobs(in: key(name).group).first, await fault(blob) == nil else {
            print("a blob was lost")
            exit(1)
        }
    }
case "fill":
    let store = store(folder, capacity: 10 << 30)
    for name in 0..<number { await put(store, name, name, 200) }
case "open":
    let clock = ContinuousClock()
    let time = await clock.measure { _ = await store(folder, capacity: 10 << 30).usage() }
    print(time)
case "read":
    let store = store(folder, capacity: 10 << 30)
    let count = Int(number) << 20
    await put(store, 1, 1, count)
    let clock = ContinuousClock()
    let rounds = max(1, 512 / Int(max(1, number)))
    let first = try await clock.measure { try await readOnce(store) }
    let time = try await clock.measure { for _ in 0..<rounds { try await readOnce(store) } }
    func speed(_ time: Duration, _ rounds: Int) -> Int { Int(Double(rounds * count) / 1e6 / (time / .seconds(1))) }
    print("\(speed(first, 1)) MB/s the first time, \(speed(time, rounds)) MB/s then")
default: exit(2)
}
