/* Kernel functions, raw tracepoints and fields of kernel types: BTF tells their types, /proc/kallsyms the functions that BTF leaves out. A
 * snapshot has rows of its own for each. */
#include "target/target_internal.h"

#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#define RAW_PREFIX "btf_trace_"

/* ---- rows: KIND NAME typed|untyped [LISTED MODULE] RETURN PARAM... ---- */

static void write_prototype(struct qt_target *t, const char *kind, const struct qt_prototype *p, const char *listed, const char *module)
{
	const char *fields[48] = { kind, p->name, p->typed ? "typed" : "untyped", listed, module };
	struct qt_param ret = { "", p->ret };
	unsigned n = 5;

	if (!ret.type.text)
		ret.type.text = "void";
	fields[n++] = qt_param_write(t, &ret);
	for (unsigned i = 0; i < p->nparams && n < 48; i++)
		fields[n++] = qt_param_write(t, &p->params[i]);
	qt_rows_add_fields(t, fields, n);
}

static bool read_prototype(struct qt_target *t, const struct qt_row *r, struct qt_prototype *out)
{
	struct qt_param *params = QT_NEW_ARRAY(t->arena, struct qt_param, r->nfields);
	struct qt_param ret;

	*out = (struct qt_prototype){ .name = qt_row_field(r, 1), .typed = strcmp(qt_row_field(r, 2), "typed") == 0, .params = params };
	if (qt_param_read(t, qt_row_field(r, 5), &ret))
		out->ret = ret.type;
	for (unsigned i = 6; i < r->nfields; i++)
		out->nparams += qt_param_read(t, r->fields[i], &params[out->nparams]);
	return true;
}

/* ---- kernel functions ---- */

static const char *const listed_words[] = { [QT_UNKNOWN] = "unknown", [QT_NO] = "no", [QT_YES] = "yes" };

static bool function_from_btf(struct qt_target *t, const char *name, struct qt_kernel_function *out)
{
	struct qt_btf *b = qt_btf_get(t);
	uint32_t id = b ? qt_btf_find(b, name, BTF_KIND_FUNC) : 0;
	const struct btf_type *f = b ? qt_btf_type(b, id) : NULL;

	if (!f || !qt_btf_prototype(t, b, f->type, 0, &out->proto))
		return false;
	out->btf_id = id;
	out->listed = QT_YES;
	return true;
}

static bool function_live(struct qt_target *t, const char *name, struct qt_kernel_function *out)
{
	out->proto.name = name;
	if (!function_from_btf(t, name, out)) {
		out->listed = qt_kallsyms_has(t, name, &out->module);
		if (out->listed != QT_YES)
			return false;
	}
	write_prototype(t, "kernel_function", &out->proto, listed_words[out->listed], out->module ? out->module : "-");
	return true;
}

static bool function_recorded(struct qt_target *t, const char *name, struct qt_kernel_function *out)
{
	const struct qt_row *r = qt_rows_find(t, "kernel_function", name, NULL);

	if (!r)
		return false;
	read_prototype(t, r, &out->proto);
	out->listed = strcmp(qt_row_field(r, 3), "yes") == 0 ? QT_YES : QT_UNKNOWN;
	out->module = strcmp(qt_row_field(r, 4), "-") && *qt_row_field(r, 4) ? qt_row_field(r, 4) : NULL;
	return true;
}

static void no_function(struct qt_target *t, const char *name, struct qt_reason *why)
{
	struct qt_reason local;

	qt_why_set(t, &local, QT_WHY_NOT_FOUND, NULL, "this kernel has no function %s%s", name,
		   t->live && qt_kallsyms_has(t, name, NULL) == QT_UNKNOWN ? " with a type, and /proc/kallsyms cannot be read" : "");
	qt_absent(t, "kernel_function", name, qt_arena_printf(t->arena, "the kernel function %s", name), &local);
	if (why)
		*why = local;
}

const struct qt_kernel_function *qt_target_kernel_function(struct qt_target *t, const char *name, struct qt_reason *why)
{
	const char *key = qt_intern(t->names, name);
	struct qt_kernel_function *f = qt_map_get(&t->functions, QT_KEY(key));

	qt_why_clear(why);
	if (f)
		return f;
	f = QT_NEW(t->arena, struct qt_kernel_function);
	if (!(t->live ? function_live(t, key, f) : function_recorded(t, key, f))) {
		no_function(t, key, why);
		return NULL;
	}
	qt_map_put(t->arena, &t->functions, QT_KEY(key), f);
	return f;
}

/* ---- raw tracepoints: typedef btf_trace_NAME is a pointer to the prototype of its handlers ---- */

static bool raw_from_btf(struct qt_target *t, const char *name, struct qt_prototype *out)
{
	struct qt_btf *b = qt_btf_get(t);
	uint32_t id = b ? qt_btf_find(b, qt_arena_printf(t->arena, RAW_PREFIX "%s", name), BTF_KIND_TYPEDEF) : 0;
	const struct btf_type *alias = b ? qt_btf_type(b, id) : NULL, *ptr = alias ? qt_btf_type(b, alias->type) : NULL;

	return ptr && btf_is_ptr(ptr) && qt_btf_prototype(t, b, ptr->type, 1, out);
}

/* Without BTF the name is still known from tracefs. */
static bool raw_untyped(struct qt_target *t, const char *name)
{
	const struct qt_name_list *all = qt_tracefs_events(t);

	qt_vec_each (e, all) {
		if (strcmp(strchr(*e, ':') + 1, name) == 0 && strncmp(*e, "syscalls:", 9))
			return true;
	}
	return false;
}

static bool raw_live(struct qt_target *t, const char *name, struct qt_prototype *out)
{
	out->name = name;
	if (!raw_from_btf(t, name, out) && !raw_untyped(t, name))
		return false;
	write_prototype(t, "raw_tracepoint", out, "-", "-");
	return true;
}

static bool raw_recorded(struct qt_target *t, const char *name, struct qt_prototype *out)
{
	const struct qt_row *r = qt_rows_find(t, "raw_tracepoint", name, NULL);

	return r && read_prototype(t, r, out);
}

const struct qt_prototype *qt_target_raw_tracepoint(struct qt_target *t, const char *name, struct qt_reason *why)
{
	const char *key = qt_intern(t->names, name);
	struct qt_prototype *p = qt_map_get(&t->raw_tracepoints, QT_KEY(key));
	struct qt_reason local;

	qt_why_clear(why);
	if (p)
		return p;
	p = QT_NEW(t->arena, struct qt_prototype);
	if (t->live ? raw_live(t, key, p) : raw_recorded(t, key, p)) {
		qt_map_put(t->arena, &t->raw_tracepoints, QT_KEY(key), p);
		return p;
	}
	qt_why_set(t, &local, QT_WHY_NOT_FOUND, NULL, "this kernel has no raw tracepoint %s", name);
	qt_absent(t, "raw_tracepoint", key, qt_arena_printf(t->arena, "the raw tracepoint %s", name), &local);
	if (why)
		*why = local;
	return NULL;
}

/* ---- lists of names ---- */

struct collect {
	struct qt_target *t;
	struct qt_name_list names;
	const char *prefix; /* cut off; names without it are left out */
};

static bool collect(void *ctx, const char *name)
{
	struct collect *c = ctx;
	size_t n = strlen(c->prefix);

	if (strncmp(name, c->prefix, n) == 0)
		*qt_vec_push(c->t->arena, &c->names) = name + n;
	return true;
}

static void recorded_names(struct collect *c, const char *kind)
{
	QT_ROWS_EACH(r, c->t)
	{
		if (QT_ROW_IS(r, kind))
			*qt_vec_push(c->t->arena, &c->names) = qt_row_field(r, 1);
		else if (QT_ROW_IS(r, "name") && strcmp(qt_row_field(r, 1), kind) == 0)
			*qt_vec_push(c->t->arena, &c->names) = qt_row_field(r, 2);
	}
}

static void all_names(struct collect *c, const char *kind, uint32_t btf_kind_)
{
	struct qt_btf *b = qt_btf_get(c->t);

	if (b)
		qt_btf_names(b, btf_kind_, collect, c);
	if (!c->t->live)
		recorded_names(c, kind);
	qt_names_sort(&c->names);
}

static bool match(struct collect *c, const char *kind, const char *pattern, const char *what, struct qt_names *out)
{
	*out = (struct qt_names){ 0 };
	if (!c->names.len)
		return qt_no_btf(c->t, &out->reason);
	if (!qt_names_match(c->t, &c->names, pattern, out))
		return qt_why_set(c->t, &out->reason, QT_WHY_NOT_FOUND, NULL, "no %s matches %s", what, pattern);
	for (unsigned i = 0; c->t->live && i < out->count; i++)
		qt_rows_add(c->t, "name", kind, out->items[i], NULL);
	return true;
}

bool qt_target_kernel_functions(struct qt_target *t, const char *pattern, struct qt_names *out)
{
	struct collect c = { .t = t, .prefix = "" };

	all_names(&c, "kernel_function", BTF_KIND_FUNC);
	return match(&c, "kernel_function", pattern, "kernel function", out);
}

bool qt_target_raw_tracepoints(struct qt_target *t, const char *pattern, struct qt_names *out)
{
	struct collect c = { .t = t, .prefix = t->live ? RAW_PREFIX : "" };

	all_names(&c, "raw_tracepoint", BTF_KIND_TYPEDEF);
	return match(&c, "raw_tracepoint", pattern, "raw tracepoint", out);
}

void qt_target_kernel_function_offer(struct qt_target *t, qt_offer_fn offer, void *ctx)
{
	struct collect c = { .t = t, .prefix = "" };

	all_names(&c, "kernel_function", BTF_KIND_FUNC);
	qt_vec_each (n, &c.names)
		offer(ctx, *n);
}

void qt_target_raw_tracepoint_offer(struct qt_target *t, qt_offer_fn offer, void *ctx)
{
	struct collect c = { .t = t, .prefix = t->live ? RAW_PREFIX : "" };

	all_names(&c, "raw_tracepoint", BTF_KIND_TYPEDEF);
	qt_vec_each (n, &c.names)
		offer(ctx, *n);
}

/* ---- fields: rows "field TYPE PATH OFFSET BIT_OFFSET BIT_SIZE PARAM" ---- */

static bool field_recorded(struct qt_target *t, const char *type, const char *path, struct qt_struct_field *out, struct qt_reason *why)
{
	const struct qt_row *r = qt_rows_find(t, "field", type, path);
	struct qt_param p;

	if (!r || !qt_param_read(t, qt_row_field(r, 6), &p))
		return qt_why_set(t, why, QT_WHY_NOT_FOUND, NULL, "%s has no field %s", type, path);
	*out = (struct qt_struct_field){ p.type, (uint32_t)qt_row_number(r, 3), (uint32_t)qt_row_number(r, 4), (uint32_t)qt_row_number(r, 5) };
	return true;
}

static bool field_live(struct qt_target *t, const char *type, const char *path, struct qt_struct_field *out, struct qt_reason *why)
{
	struct qt_btf *b = qt_btf_get(t);
	uint32_t id = b ? qt_btf_find_named(b, type) : 0;
	struct qt_param p = { .name = "" };

	if (!b)
		return qt_no_btf(t, why);
	if (!id)
		return qt_why_set(t, why, QT_WHY_NOT_FOUND, NULL, "this kernel has no type %s", type);
	if (!qt_btf_field(t, b, id, path, out))
		return qt_why_set(t, why, QT_WHY_NOT_FOUND, NULL, "%s has no field %s", type, path);
	p.type = out->type;
	qt_rows_add(t, "field", type, path, qt_arena_printf(t->arena, "%u", out->offset), qt_arena_printf(t->arena, "%u", out->bit_offset),
		    qt_arena_printf(t->arena, "%u", out->bit_size), qt_param_write(t, &p), NULL);
	return true;
}

bool qt_target_struct_field(struct qt_target *t, const char *type, const char *path, struct qt_struct_field *out, struct qt_reason *why)
{
	const char *key = qt_arena_printf(t->arena, "%s.%s", type, path);
	struct qt_reason local = { 0 };

	qt_why_clear(why);
	if (t->live ? field_live(t, type, path, out, &local) : field_recorded(t, type, path, out, &local))
		return true;
	qt_absent(t, "field", key, qt_arena_printf(t->arena, "a field %s of %s", path, type), &local);
	if (why)
		*why = local;
	return false;
}

struct offering {
	qt_offer_fn offer;
	void *ctx;
};

static bool offer_one(void *ctx, const char *name)
{
	struct offering *o = ctx;

	o->offer(o->ctx, name);
	return true;
}

void qt_target_struct_field_offer(struct qt_target *t, const char *type, qt_offer_fn offer, void *ctx)
{
	struct qt_btf *b = qt_btf_get(t);
	struct offering o = { offer, ctx };

	if (b)
		qt_btf_each_member(b, qt_btf_find_named(b, type), offer_one, &o);
	QT_ROWS_EACH(r, t)
	{
		if (QT_ROW_IS(r, "field") && strcmp(qt_row_field(r, 1), type) == 0)
			offer(ctx, qt_row_field(r, 2));
	}
}
