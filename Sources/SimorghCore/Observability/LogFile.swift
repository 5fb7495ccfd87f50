// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that lines are written to, one after the other, on a queue that may block.
package final class LogFile: Sendable {
    /// How large the files get, and how many there are.
    package struct Limits: Sendable, Hashable {
        package var bytes: Int
        package var files: Int
        /// How many bytes wait to be written at most; what is more is dropped.
        package var backlog = 4 * 1024 * 1024

        package init(bytes: Int, files: Int) {
            self.bytes = bytes
            self.files = files
        }
    }

    private struct Backlog {
        var lines: [String] = []
        var bytes = 0
        var dropped = 0
        var isBusy = false
    }

    /// What only the queue touches, one block at a time.
    private struct Output {
        var descriptor: Int32 = -1
        /// Whether it is a file that can be set aside: `/dev/stderr` cannot.
        var isFile = true
        var rotation: LogFileRotation
    }

    /// The files of this process, so that one path is written by one queue.
    private static let files = Mutex<[String: LogFile]>([:])

    private let limits: Limits
    private let queue = DispatchQueue(label: "simorgh.log", qos: .utility)
    private let backlog = Mutex(Backlog())
    private let output: Mutex<Output>

    package init(_ path: String, _ limits: Limits) {
        self.limits = limits
        output = Mutex(
            Output(rotation: LogFileRotation(path: path, maximumBytes: limits.bytes, maximumFiles: limits.files)))
    }

    deinit { output.withLock { if $0.descriptor >= 0 { _ = close($0.descriptor) } } }

    /// The file of a path; whoever asked first has set its limits.
    package static func shared(_ path: String, _ limits: Limits) -> LogFile {
        files.withLock { files in
            if let file = files[path] { return file }
            let file = LogFile(path, limits)
            files[path] = file
            return file
        }
    }

    /// Writes a text and a line break, soon.
    package func write(_ text: String) {
        let begins = backlog.withLock { backlog in
            guard backlog.bytes + text.utf8.count <= limits.backlog else {
                backlog.dropped += 1
                return false
            }
            backlog.lines.append(text)
            backlog.bytes += text.utf8.count
            defer { backlog.isBusy = true }
            return !backlog.isBusy
        }
        if begins { queue.async { [self] in drain() } }
    }

    /// Waits until all that was written before is in the file.
    package func flush() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func drain() {
        while true {
            let (lines, dropped) = backlog.withLock { backlog in
                let taken = (backlog.lines, backlog.dropped)
                backlog.lines = []
                backlog.bytes = 0
                backlog.dropped = 0
                backlog.isBusy = !taken.0.isEmpty || taken.1 > 0
                return taken
            }
            guard !lines.isEmpty || dropped > 0 else { return }
            let lost = output.withLock { output in
                var lost = 0
                if dropped > 0, !Self.put("simorgh: \(dropped) entries were dropped here", &output) { lost = dropped }
                for line in lines { lost += Self.put(line, &output) ? 0 : 1 }
                return lost
            }
            guard lost > 0 else { continue }
            // Told with the next line that can be written: a disk that is full does not keep the queue busy.
            let isIdle = backlog.withLock { backlog in
                backlog.dropped += lost
                if backlog.lines.isEmpty { backlog.isBusy = false }
                return backlog.lines.isEmpty
            }
            if isIdle { return }
        }
    }

    /// Writes a line, into a new file where the one there is is full.
    ///
    /// - Returns: Whether it is written.
    private static func put(_ line: String, _ output: inout Output) -> Bool {
        let bytes = Array("\(line)\n".utf8)
        if output.descriptor < 0 { open(&output) }
        if output.descriptor >= 0, output.isFile, output.rotation.isFull(for: bytes.count) {
            _ = close(output.descriptor)
            for move in output.rotation.moves {
                if let name = move.to { _ = rename(move.from, name) } else { _ = unlink(move.from) }
            }
            open(&output)
        }
        guard output.descriptor >= 0 else { return false }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { buffer in
                systemWrite(output.descriptor, buffer)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            written += count
        }
        output.rotation.wrote(written)
        return written == bytes.count
    }

    private static func open(_ output: inout Output) {
        let path = output.rotation.path
        output.descriptor = path.utf8.contains(0) ? -1 : systemOpen(path)
        var status = stat()
        guard output.descriptor >= 0, fstat(output.descriptor, &status) == 0 else { return }
        output.isFile = status.st_mode & S_IFMT == S_IFREG
        output.rotation.opened(Int(status.st_size))
    }
}

/// Opens a file to write behind what is there; nobody else may read it.
///
/// A link at its place is followed to a device or a pipe, as `/dev/stderr` is one, and to no file: somebody else may have put
/// it there.
private func systemOpen(_ path: String) -> Int32 {
    let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK
    var descriptor = open(path, flags | O_CREAT | O_NOFOLLOW, 0o600)
    if descriptor < 0, errno == ELOOP {
        descriptor = open(path, flags)
        var status = stat()
        if descriptor >= 0, fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT == S_IFREG {
            _ = close(descriptor)
            return -1
        }
    }
    // Opening must not wait for a pipe's other end; writing may, as only the log's own queue does.
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_APPEND) }
    return descriptor
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
