# The doors of the house; each installs what a fresh Debian with Swift lacks. CONTRIBUTING.md says what each does.
.PHONY: demo test check bench docs format

demo:
	@scripts/bootstrap
	@swift build --product simorgh --quiet
	@"$$(swift build --show-bin-path)/simorgh" demo

test:
	@scripts/peers scripts/test

check:
	@scripts/check

bench:
	@scripts/bootstrap peers benchmark
	@scripts/peers Benchmarks/run

docs:
	@scripts/docs

format:
	@swift format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks
