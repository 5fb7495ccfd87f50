// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#ifndef CSIMORGHZSTD_H
#define CSIMORGHZSTD_H

#include <zstd.h>

#endif
