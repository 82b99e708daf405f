/* A plan that was saved holds offsets into binaries. Before it is attached, the files that are there now are compared with those by their build ids. */
#include "base/intern.h"
#include "runtime/runtime_internal.h"

#include <string.h>

static bool check_binary(const struct qt_run *run, const struct qt_plan_point *p)
{
	struct qt_binaries found;
	struct qt_diag *d;

	if (!qt_target_binaries(run->target, p->path, &found)) {
		qt_diag_prog(run, QT_E0605, p->prog, "%s", found.reason.text ? found.reason.text : "the file is not there");
		return false;
	}
	if (strcmp(found.items[0]->build_id, p->build_id) == 0)
		return true;
	d = qt_diag_prog(run, QT_E0605, p->prog, "%s is another file than the plan was made for", p->path);
	qt_diag_note(run->diags, d, (struct qt_span){ 0 }, "its build id is %s, the plan has %s", *found.items[0]->build_id ? found.items[0]->build_id : "missing",
		     p->build_id);
	qt_diag_hint(run->diags, d, "make the plan again where that file is: qtrace build");
	return false;
}

bool qt_binaries_check(const struct qt_run *run)
{
	struct qt_map seen = { 0 };
	struct qt_interns *names = qt_interns_new(run->arena);
	bool ok = true;

	qt_vec_each (p, &run->plan->points)
		if (p->path && p->build_id && !qt_map_put(run->arena, &seen, QT_KEY(qt_intern(names, p->path)), p))
			ok &= check_binary(run, p);
	return ok;
}
