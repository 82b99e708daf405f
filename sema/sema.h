/* Tree to typed program: names, types, probes, contexts. The only stage that asks the target for facts. */
#ifndef QT_SEMA_SEMA_H
#define QT_SEMA_SEMA_H

#include "base/diag.h"
#include "base/intern.h"
#include "parser/ast.h"
#include "sema/program.h"

struct qt_target;

/* --NAME VALUE */
struct qt_param_value {
	const char *name, *value;
};

struct qt_sema_options {
	int nparams; /* positional parameters $1.. */
	const char *const *params;
	bool unsafe; /* actions that change the traced system are allowed */
	const struct qt_param_value *values; /* of params, from the command line */
	uint32_t nvalues;
	const struct qt_sources *sources; /* where the tree's spans point: tables and columns are named by their text */
	bool missing_binaries_ok; /* `qtrace check`: what this machine lacks (a binary, kprobes) is a warning; points in such a
				   * binary have the path as written and no offset */
};

/* Checks TREE and makes the program, in ARENA. NULL when there were errors (in DIAGS). Reads facts only through TARGET. */
struct qt_program *qt_sema(const struct qt_ast_program *tree, struct qt_target *target, const struct qt_sema_options *options, struct qt_arena *arena,
			   struct qt_interns *names, struct qt_diags *diags);

/* The typed program as text, for --dump=program and golden tests. */
void qt_program_dump(const struct qt_program *p, FILE *out);

#endif
