/* IR to BPF: the only user of LLVM. */
#ifndef QT_CODEGEN_CODEGEN_H
#define QT_CODEGEN_CODEGEN_H

#include "base/diag.h"
#include "ir/ir.h"

struct qt_codegen_options {
	FILE *dump_llvm; /* NULL, or where the optimised module goes as text */
	FILE *dump_bpf; /* NULL, or where the BPF assembly goes */
};

/* Compiles a checked module; puts the object (BPF ELF with BTF: maps, functions, lines) into the module's plan. The same bytes for the same module. False with a diagnostic (E05xx). */
bool qt_codegen(struct qt_ir *ir, const struct qt_codegen_options *options, struct qt_diags *diags);

/* "19.1.7" */
const char *qt_codegen_llvm_version(void);

#endif
