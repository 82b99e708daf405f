# qtrace: everything is built from here, into build/ (out of tree, quiet unless V=1).
#   make             build/qtrace
#   make check       fast tests: no root, no kernel        make test   everything this machine can test (root)
#   make demo        the SQLite demonstration (root)       make bench  ratios against hand-written C and bpftrace (root)
#   make lint        clang-format, clang-tidy, include rule   make fuzz T=60   make install PREFIX=/usr/local
# SAN=1 builds with address and undefined-behaviour sanitizers, COV=1 for coverage, LLVM_CONFIG picks LLVM (15 or newer).

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:

V ?= 0
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-7s %s\n' '$(1)' '$(2)')

LLVM_CONFIG ?= $(firstword $(shell command -v llvm-config-19 llvm-config-18 llvm-config-17 llvm-config-16 llvm-config-15 llvm-config))
CC = gcc
CXX = g++
VARIANT := $(if $(SAN),san,$(if $(COV),cov,$(if $(FUZZ),fuzz,release)))
OUT := build/$(VARIANT)

CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wvla -Wno-override-init -fno-common -I. -I$(OUT)/gen -D_GNU_SOURCE
LDFLAGS := -Wl,--as-needed -Wl,--gc-sections -Wl,-z,pack-relative-relocs
ifdef SAN
CFLAGS += -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
LDFLAGS += -fsanitize=address,undefined
endif
ifdef FUZZ
CC = clang-19
CXX = clang++-19
CFLAGS += -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -Wno-error -Wno-unknown-warning-option
LDFLAGS += -fsanitize=address,undefined
endif
ifdef COV
CFLAGS += -O0 --coverage
LDFLAGS += --coverage
endif

FOLDERS := base lexer parser target sema plan ir codegen runtime report cli
LIB_SRC := $(foreach d,$(filter-out cli,$(FOLDERS)),$(wildcard $(d)/*.c))
GEN_SRC := $(patsubst %.l,$(OUT)/gen/%.c,$(wildcard lexer/*.l)) $(patsubst %.y,$(OUT)/gen/%.c,$(wildcard parser/*.y))
LIB_OBJ := $(LIB_SRC:%.c=$(OUT)/%.o) $(GEN_SRC:.c=.o)
CLI_OBJ := $(patsubst %.c,$(OUT)/%.o,$(wildcard cli/*.c))
UNIT_OBJ := $(patsubst %.c,$(OUT)/%.o,$(wildcard tests/unit/*.c))
CLI_LIB_OBJ := $(filter-out $(OUT)/cli/main.o,$(CLI_OBJ))

LLVM_CFLAGS := $(filter-out -std=%,$(shell $(LLVM_CONFIG) --cflags 2>/dev/null))
# Of the system libraries that LLVM names, the BPF back end calls only zlib and zstd; everything but the C library is linked statically
# (loading and relocating libraries is a good part of the time from start to attached).
LLVM_LIBS := $(shell $(LLVM_CONFIG) --link-static --ldflags --libs bpf passes 2>/dev/null)
LIBS := -lbpf -lelf -lz -lzstd -llzma -lpthread -lm -ldl
ifeq ($(VARIANT),release)
LDFLAGS += -static-libstdc++ -static-libgcc
LIBS := -Wl,-Bstatic -lbpf -lelf -lz -lzstd -llzma -Wl,-Bdynamic -lpthread -lm -ldl
endif

all: build/qtrace

build/qtrace: $(OUT)/qtrace
	$(Q)ln -sf $(VARIANT)/qtrace $@

$(OUT)/qtrace: $(CLI_OBJ) $(LIB_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS) -o $@.$$$$ $^ $(LLVM_LIBS) $(LIBS) && mv $@.$$$$ $@

$(OUT)/unit: $(UNIT_OBJ) $(CLI_LIB_OBJ) $(LIB_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS) -o $@.$$$$ $^ $(LLVM_LIBS) $(LIBS) && mv $@.$$$$ $@

$(OUT)/codegen/%.o: EXTRA_CFLAGS = $(LLVM_CFLAGS)
$(OUT)/gen/%.o: EXTRA_CFLAGS = -Wno-unused-function -Wno-sign-compare

$(OUT)/%.o: %.c $(OUT)/flags | $(GEN_SRC)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(EXTRA_CFLAGS) -MMD -MP -c -o $@ $<

$(OUT)/gen/%.o: $(OUT)/gen/%.c $(OUT)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(CFLAGS) $(EXTRA_CFLAGS) -MMD -MP -c -o $@ $<

$(OUT)/gen/lexer/%.c: lexer/%.l
	$(call say,FLEX,$<)
	@mkdir -p $(@D)
	$(Q)flex -o $@ $<

$(OUT)/gen/parser/%.c: parser/%.y
	$(call say,BISON,$<)
	@mkdir -p $(@D)
	$(Q)bison -Wall -Werror -o $@ --defines=$(@:.c=.h) $<

$(OUT)/gen/%.h: $(OUT)/gen/%.c ;

# Changed flags or another compiler rebuild every object: the file is rewritten only when its text changes.
$(OUT)/flags: FLAGS_NOW := $(CC) $(CXX) $(CFLAGS) $(LDFLAGS) $(LLVM_CFLAGS)
$(OUT)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(FLAGS_NOW)' | cmp -s - $@ || printf '%s\n' '$(FLAGS_NOW)' >$@

include tests/rules.mk

PREFIX ?= /usr/local
install: $(OUT)/qtrace
	install -D -s -m 755 $(OUT)/qtrace $(DESTDIR)$(PREFIX)/bin/qtrace
	cd scripts && find . -name '*.qt' -exec install -D -m 644 '{}' '$(abspath $(DESTDIR)$(PREFIX))/share/qtrace/scripts/{}' ';'
	set -- README.md docs/*.md; for f; do [ ! -e "$$f" ] || install -D -m 644 "$$f" "$(DESTDIR)$(PREFIX)/share/doc/qtrace/$${f##*/}"; done
	[ ! -e cli/completion.bash ] || install -D -m 644 cli/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/qtrace

clean:
	rm -rf build

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)

FORCE:
.PHONY: all install clean FORCE
