/* The frozen facts that compile tests share: they are there and they fit together. */
#include "target/target.h"
#include "tests/unit/test.h"

#include <string.h>

#define FIXTURE "tests/fixtures/target"

QT_TEST(shared_facts)
{
	static const char *const specs[] = { "./target",  "libc",	"libsqlite3",	"libssl", "postgres",
					     "nginx",	  "python3.11", "redis-server", "bash",	  "/usr/lib/*/lib{mariadb,mysqlclient}.so*",
					     "libstdc++", "libmariadb", "./gotool" };
	struct qt_target *t = qt_target_snapshot(FIXTURE, NULL);
	const struct qt_syscall *s;
	struct qt_binaries b;
	struct qt_functions f;
	struct qt_usdt u;

	QT_NEED(t != NULL);
	for (unsigned i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		if (!qt_target_binaries(t, specs[i], &b))
			QT_EQ_STR(b.reason.text, specs[i]);
		QT_EQ_INT(b.count, 1);
	}
	QT_TRUE(b.items[0]->go);
	QT_TRUE(qt_target_binaries(t, "./target", &b) && qt_binary_functions(t, b.items[0], "fn", 0, &f));
	QT_TRUE(qt_binary_functions(t, b.items[0], "ns::S::go(int)", 0, &f) && f.count == 1);
	QT_TRUE(!qt_binary_functions(t, b.items[0], "gn", 0, &f) && f.reason.why == QT_WHY_NOT_FOUND);
	QT_TRUE(qt_binary_usdt(t, b.items[0], "tp", "site", &u) && u.count == 2);
	QT_TRUE(!qt_binary_usdt(t, b.items[0], NULL, "q", &u) && u.reason.why == QT_WHY_AMBIGUOUS);
	QT_TRUE(!qt_target_binaries(t, "/srv/app/app.jar", &b) && b.reason.why == QT_WHY_JAVA);
	QT_TRUE(!qt_target_binaries(t, "./elsewhere", &b) && b.reason.why == QT_WHY_NOT_RECORDED);
	QT_TRUE(!qt_target_binaries(t, "libnone", &b) && b.reason.why == QT_WHY_NOT_FOUND);
	QT_TRUE(qt_target_kernel_function(t, "vfs_read", NULL) && qt_target_raw_tracepoint(t, "sched_switch", NULL));
	QT_TRUE(qt_target_tracepoint(t, "sched", "sched_switch", NULL) && qt_target_tracepoint(t, "exceptions", "page_fault_user", NULL));
	s = qt_target_syscall(t, "openat", NULL);
	QT_TRUE(s && s->args[1].type.is_text && s->args[1].type.is_user);
	QT_EQ_INT(qt_target_feature(t, QT_FEATURE_FENTRY).state, QT_YES);
	QT_EQ_INT(qt_target_feature(t, QT_FEATURE_UPROBE_MULTI).state, QT_NO);
	QT_EQ_INT(qt_target_kernel(t)->version, 6 << 16 | 1 << 8);
	qt_target_free(t);
}
