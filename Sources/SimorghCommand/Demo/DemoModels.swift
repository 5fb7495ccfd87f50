// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// demo: get
struct User: Codable { let id: Int; let name: String }
// demo: end

// demo: post
struct NewUser: Codable { let name: String }
// demo: end

// demo: failure
struct Problem: Codable { let code: String; let hint: String }
// demo: end
