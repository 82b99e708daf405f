# Rules for tests, demo, bench and lint; included by the Makefile. Programs that do not depend on the variant go to build/triggers,
# build/demo, build/vm and build/bench.

RUN := QTRACE=$(OUT)/qtrace UNIT=$(OUT)/unit tests/run
FAST := unit golden bad eval cli layers docs
WHOLE := $(FAST) live loss agree demo tutorial vm

TRIGGERS := $(patsubst tests/triggers/%.c,build/triggers/%,$(wildcard tests/triggers/*.c)) build/triggers/cxx
TRIGGER_CFLAGS := -std=gnu11 -O1 -g -Wall -Wextra -Werror -fno-optimize-sibling-calls -pthread -I. -D_GNU_SOURCE

check: build/qtrace $(OUT)/unit triggers
	@$(RUN) $(FAST)

test: build/qtrace $(OUT)/unit $(OUT)/agree triggers tutorial build/demo/sqlite-workload vm
	@$(RUN) $(WHOLE)

# Rewrites the expected texts of golden and bad tests from what qtrace prints now: read the diff before it is committed.
update: build/qtrace
	@$(RUN) --update golden bad

triggers: $(TRIGGERS) build/triggers/jsonl

build/triggers/jsonl: tests/jsonl.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TRIGGER_CFLAGS) -o $@ $<

build/triggers/cxx: tests/triggers/cxx.cc
	$(call say,CXX,$@)
	@mkdir -p $(@D)
	$(Q)$(CXX) -O1 -g -Wall -Wextra -Werror -o $@ $<

build/triggers/%: tests/triggers/%.c tests/triggers/trigger.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TRIGGER_CFLAGS) -o $@ $<

.PHONY: check test update triggers

# Random programs, run by the interpreter and by the kernel: a minute of them is part of `make test`; `make agree T=3600 SEED=1000` looks further.
AGREE_OBJ := $(patsubst %.c,$(OUT)/%.o,$(wildcard tests/agree/*.c))
SEED ?= 1

$(OUT)/agree: $(AGREE_OBJ) $(CLI_LIB_OBJ) $(LIB_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS) -o $@.$$$$ $^ $(LLVM_LIBS) $(LIBS) && mv $@.$$$$ $@

agree: $(OUT)/agree build/triggers/agree
	@$< -t $(T) -s $(SEED)

.PHONY: agree

# The virtual machine: the kernel is fetched once, the image follows the binaries and scripts.
vm: build/vm/initramfs

build/vm/vmlinuz: tests/vm/kernel
	$(call say,FETCH,$@)
	$(Q)tests/vm/kernel build/vm

build/vm/initramfs: build/vm/vmlinuz $(OUT)/qtrace $(TRIGGERS) build/triggers/jsonl build/demo/sqlite-workload \
		$(wildcard tests/vm/* tests/live/*.sh tests/demo/*.sh scripts/*.qt scripts/*/*.qt)
	$(call say,IMAGE,$@)
	$(Q)tests/vm/image build/vm $(OUT)/qtrace

.PHONY: vm

# The demonstration: a shop on SQLite, on a real disk under build/.
build/demo/sqlite-workload: demo/sqlite-workload.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -o $@ $< -lsqlite3

demo: build/qtrace build/demo/sqlite-workload
	build/qtrace scripts/sqlite-reads.qt -c 'build/demo/sqlite-workload build/demo/shop.db'

.PHONY: demo

# The benchmark: both yardsticks and qtrace in one run.
bench: $(OUT)/qtrace build/qtrace build/bench/workload build/bench/loader build/bench/measure build/bench/correlation.o build/bench/places.o build/bench/empty.o
	@bench/run $(ROUNDS)

build/bench/%: bench/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -g -Wall -Wextra -Werror -pthread -D_GNU_SOURCE -o $@ $< $(if $(filter %loader,$@),-lbpf)

CLANG ?= $(firstword $(shell command -v clang-19 clang-18 clang-17 clang-16 clang-15 clang))
BPF_CFLAGS := -O2 -g -target bpf -mcpu=v3 -D__TARGET_ARCH_x86 -I/usr/include/x86_64-linux-gnu -Wall -Wextra -Werror

build/bench/correlation.o build/bench/places.o build/bench/empty.o: bench/correlation.bpf.c
	$(call say,CLANG,$@)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) $(if $(filter %empty.o,$@),-DEMPTY) $(if $(filter %places.o,$@),-DPLACES) -c -o $@ $<

.PHONY: bench

# What tutorials trace: clients of libraries where their headers are, and an nginx that is unpacked, not installed.
TUTORIAL := build/triggers/pay $(if $(wildcard /usr/include/mariadb/mysql.h),build/tutorial/mysql) \
	$(if $(wildcard /usr/include/openssl/ssl.h),build/tutorial/ssl) build/deb/nginx/usr/sbin/nginx
tutorial: $(TUTORIAL)

build/tutorial/mysql: TUTORIAL_FLAGS = -I/usr/include/mariadb -lmariadb
build/tutorial/ssl: TUTORIAL_FLAGS = -lssl -lcrypto
build/tutorial/%: tests/tutorial/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O1 -g -Wall -Wextra -Werror -o $@ $< $(TUTORIAL_FLAGS)

build/deb/nginx/usr/sbin/nginx:
	$(call say,FETCH,nginx)
	$(Q)tests/tutorial/fetch nginx build/deb

.PHONY: tutorial

# Format, static checks, the include rule.
LINT_SRC := $(foreach d,$(FOLDERS) bench demo tests/unit tests/agree tests/triggers,$(wildcard $(d)/*.[ch])) tests/jsonl.c
CLANG_FORMAT ?= $(firstword $(shell command -v clang-format-19 clang-format))
CLANG_TIDY ?= $(firstword $(shell command -v clang-tidy-19 clang-tidy))

lint: $(GEN_SRC)
	@tests/check-layers
	@$(CLANG_FORMAT) --dry-run -Werror $(LINT_SRC)
	@printf '%s\n' $(LIB_SRC) $(wildcard cli/*.c) | xargs -P 2 -n 8 sh -c '$(CLANG_TIDY) --quiet "$$@" -- $(filter-out -Werror,$(CFLAGS)) $(LLVM_CFLAGS) 2>/dev/null' tidy

format:
	@$(CLANG_FORMAT) -i $(LINT_SRC)

.PHONY: lint format

# Fuzzing with libFuzzer: every harness for T seconds, from sound inputs (tests/fuzz/seeds); what crashes stays in build/fuzz.
FUZZERS := $(patsubst tests/fuzz/%.c,$(OUT)/%,$(wildcard tests/fuzz/fuzz_*.c))
T ?= 60

fuzz:
	@$(MAKE) --no-print-directory FUZZ=1 T=$(T) fuzz-run

fuzz-run: $(FUZZERS)
	@for f in $(FUZZERS); do name=$${f##*/}; mkdir -p build/fuzz/corpus/$$name; tests/fuzz/seeds $$name build/fuzz/seeds/$$name; \
		echo "== $$name, $(T) s"; ASAN_OPTIONS=detect_leaks=0 $$f -max_total_time=$(T) -max_len=65536 -verbosity=0 -artifact_prefix=build/fuzz/$$name- \
			build/fuzz/corpus/$$name build/fuzz/seeds/$$name >build/fuzz/$$name.log 2>&1 || { tail -n 40 build/fuzz/$$name.log; exit 1; }; done

$(OUT)/fuzz_%: $(OUT)/tests/fuzz/fuzz_%.o $(LIB_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LLVM_LIBS) $(LIBS)

.PHONY: fuzz fuzz-run
