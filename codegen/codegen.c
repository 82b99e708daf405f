/* The back end in one function: a unit, its maps and shared areas, a function for each program, the object. */
#include "codegen/codegen_internal.h"

#include <llvm/Config/llvm-config.h>

bool qt_codegen(struct qt_ir *ir, const struct qt_codegen_options *options, struct qt_diags *diags)
{
	struct qt_module u;
	bool done = false;

	if (qt_module_begin(&u, ir, diags)) {
		qt_maps_make(&u);
		qt_globals_make(&u);
		qt_vec_each (fn, &ir->fns)
			qt_function_make(&u, fn);
		done = qt_finish(&u, options);
	}
	qt_module_end(&u);
	return done;
}

const char *qt_codegen_llvm_version(void)
{
	return LLVM_VERSION_STRING;
}
