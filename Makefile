# The main commands; each installs the packages that a fresh Debian with Swift lacks. CONTRIBUTING.md describes them.
.PHONY: demo playground test check autobahn tsan asan leaks fuzz thorough machines apple bench docs dist format

# The Playground; with TOUR=1 the demonstration in the terminal.
demo:
	@if [ -n "$(TOUR)" ]; then scripts/demo-cli; else scripts/playground run; fi

playground:
	@scripts/playground run

test:
	@scripts/with-test-servers scripts/test

check:
	@scripts/check

autobahn:
	@scripts/interop/autobahn

tsan:
	@scripts/sanitizers/tsan

asan:
	@scripts/with-test-servers scripts/sanitizers/asan

leaks:
	@scripts/with-test-servers scripts/sanitizers/leaks

fuzz:
	@FUZZ_OPTIMISATION=-O scripts/interop/fuzz

thorough:
	@SIMORGH_THOROUGH=1 scripts/with-test-servers scripts/test \
		--filter 'RandomTests|UploadStateMachineTests|ProxyTargetStateMachineTests|CacheHistoryTests|CacheModelTests'

machines:
	@SIMORGH_THOROUGH=1 scripts/with-test-servers scripts/test \
		--filter 'MachineRandomTests|HTTP2ConnectionStateMachineRandomTests|UploadStateMachineTests|ProxyTargetStateMachineTests'

apple:
	@scripts/apple/typecheck
	@Tests/Scripts/apple-typecheck

bench:
	@scripts/bootstrap peers benchmark
	@scripts/with-test-servers Benchmarks/run

docs:
	@scripts/bootstrap
	@scripts/docs/build

dist:
	@scripts/bootstrap
	@scripts/release/dist

format:
	@swift format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks Fuzz Examples
