# The doors of the house; each installs what a fresh Debian with Swift lacks. CONTRIBUTING.md says what each does.
.PHONY: demo playground test check autobahn tsan asan leaks fuzz thorough machines apple bench docs dist format

# The Playground; with TOUR=1 a walk in the terminal that ends by itself.
demo:
	@if [ -n "$(TOUR)" ]; then scripts/tour; else scripts/playground run; fi

playground:
	@scripts/playground run

test:
	@scripts/peers scripts/test

check:
	@scripts/check

autobahn:
	@scripts/autobahn

tsan:
	@scripts/tsan

asan:
	@scripts/peers scripts/asan

leaks:
	@scripts/peers scripts/leaks

fuzz:
	@FUZZ_OPTIMISATION=-O scripts/fuzz

thorough:
	@SIMORGH_THOROUGH=1 scripts/peers scripts/test \
		--filter 'RandomTests|UploadCursorTests|ProxyTargetsTests|CacheHistoryTests|CacheModelTests'

machines:
	@SIMORGH_THOROUGH=1 scripts/peers scripts/test \
		--filter 'MachineRandomTests|HTTP2SessionRandomTests|UploadCursorTests|ProxyTargetsTests'

apple:
	@scripts/typecheck-apple

bench:
	@scripts/bootstrap peers benchmark
	@scripts/peers Benchmarks/run

docs:
	@scripts/bootstrap
	@scripts/docs

dist:
	@scripts/bootstrap
	@scripts/dist

format:
	@swift format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks Fuzz Examples
