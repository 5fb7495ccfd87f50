// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#ifndef ENCODERS_H
#define ENCODERS_H

#include <brotli/encode.h>

#endif
