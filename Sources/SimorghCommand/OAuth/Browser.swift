// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport

/// The user's browser.
enum Browser {
    /// Opens a URL in the browser.
    ///
    /// - Parameter url: The URL, which is one argument of a program and never part of a shell's text.
    /// - Returns: False if the program could not be started.
    static func open(_ url: String) -> Bool {
        // An argument that is no URL could be an option or a file.
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), url.dropFirst(scheme.count).hasPrefix("://") else { return false }
        let program = Platform.system == .macOS ? "open" : "xdg-open"
        // The element type differs between systems, so it is inferred from the functions.
        guard let attributes = made(posix_spawnattr_init), let actions = made(posix_spawn_file_actions_init) else {
            return false
        }
        defer {
            posix_spawnattr_destroy(attributes)
            posix_spawn_file_actions_destroy(actions)
            attributes.deallocate()
            actions.deallocate()
        }
        // The signals that this program blocks must end the browser, and its messages would disturb the output.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(attributes, &none)
        // In a process group of its own, so that Ctrl-C for this program does not end the browser.
        posix_spawnattr_setpgroup(attributes, 0)
        posix_spawnattr_setflags(attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        for descriptor in 0...2 as ClosedRange<CInt> {
            posix_spawn_file_actions_addopen(actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var arguments = [strdup(program), strdup(url), nil]
        defer { for argument in arguments { free(argument) } }
        var id = pid_t()
        guard posix_spawnp(&id, program, actions, attributes, &arguments, environ) == 0 else { return false }
        FileQueue.later { [id] in
            var status: CInt = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
        }
        return true
    }

    private static func made<Value>(_ initialize: (UnsafeMutablePointer<Value>) -> CInt) -> UnsafeMutablePointer<Value>?
    {
        let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        if initialize(pointer) == 0 { return pointer }
        pointer.deallocate()
        return nil
    }
}
#endif
