/* Views, buffers, globs, edit distance. */
#include "base/str.h"
#include "tests/unit/test.h"

#include <string.h>

QT_TEST(views_compare_by_bytes)
{
	QT_TRUE(qt_str_eq(QT_STR("a\0b"), (struct qt_str){ "a\0b", 3 }));
	QT_TRUE(!qt_str_eq(QT_STR("a\0b"), QT_STR("a\0c")));
	QT_TRUE(qt_str_is(QT_STR("tag"), "tag"));
	QT_TRUE(!qt_str_is(QT_STR("tags"), "tag"));
	QT_TRUE(qt_str_has_prefix(QT_STR("uprobe:x"), "uprobe:"));
	QT_TRUE(!qt_str_has_prefix(QT_STR("up"), "uprobe:"));
}

QT_TEST(buffer_grows_and_stays_terminated)
{
	struct qt_buf b = { 0 };

	for (int i = 0; i < 1000; i++)
		qt_buf_printf(&b, "%d,", i % 10);
	qt_buf_pad(&b, '.', 3);
	qt_buf_addc(&b, 0);
	qt_buf_add(&b, "end", 3);
	QT_EQ_INT(b.len, 2007);
	QT_EQ_STR(b.ptr + 2004, "end");
	qt_buf_clear(&b);
	QT_EQ_STR(b.ptr, "");
	qt_buf_free(&b);
	QT_TRUE(!b.ptr);
}

QT_TEST(globs)
{
	QT_TRUE(qt_glob_match("vfs_*", "vfs_read"));
	QT_TRUE(!qt_glob_match("vfs_*", "do_vfs_read"));
	QT_TRUE(qt_glob_match("*read*", "vfs_read_iter"));
	QT_TRUE(qt_glob_match("a?c", "abc"));
	QT_TRUE(!qt_glob_match("a?c", "ac"));
	QT_TRUE(qt_glob_match("lib[cm].so", "libm.so"));
	QT_TRUE(!qt_glob_match("lib[!cm].so", "libm.so"));
	QT_TRUE(qt_glob_match("[a-f]x", "dx"));
	QT_TRUE(!qt_glob_match("[a-f]x", "gx"));
	QT_TRUE(qt_glob_match("lib{mysql,mariadb}*", "libmariadb.so.3"));
	QT_TRUE(!qt_glob_match("lib{mysql,mariadb}*", "libpq.so"));
	QT_TRUE(qt_glob_match("{a,{b,c}d}e", "cde"));
	QT_TRUE(qt_glob_match("a\\*b", "a*b"));
	QT_TRUE(!qt_glob_match("a\\*b", "axb"));
	QT_TRUE(qt_glob_match("a[b", "a[b"));
	QT_TRUE(qt_glob_match("a{b", "a{b"));
	QT_TRUE(qt_glob_match("", ""));
	QT_TRUE(!qt_glob_match("", "a"));
	QT_TRUE(qt_glob_match("**", ""));
}

QT_TEST(globs_end_on_hostile_patterns)
{
	char pattern[4096], text[4096];

	memset(pattern, '*', 2000);
	memset(text, 'a', sizeof(text) - 1);
	strcpy(pattern + 2000, "b");
	text[sizeof(text) - 1] = 0;
	QT_TRUE(!qt_glob_match(pattern, text));
	QT_TRUE(!qt_glob_match("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", text));
}

QT_TEST(what_is_a_pattern)
{
	QT_TRUE(qt_glob_is_pattern("a*"));
	QT_TRUE(qt_glob_is_pattern("{a,b}"));
	QT_TRUE(!qt_glob_is_pattern("plain+name"));
	QT_TRUE(!qt_glob_is_pattern("a\\*"));
}

QT_TEST(edit_distance)
{
	QT_EQ_INT(qt_edit_distance("retval", "retval", 3), 0);
	QT_EQ_INT(qt_edit_distance("retval", "retvla", 3), 1);
	QT_EQ_INT(qt_edit_distance("count", "cuont", 3), 1);
	QT_EQ_INT(qt_edit_distance("count", "cont", 3), 1);
	QT_EQ_INT(qt_edit_distance("kitten", "sitting", 5), 3);
	QT_EQ_INT(qt_edit_distance("kitten", "sitting", 2), 3);
	QT_EQ_INT(qt_edit_distance("", "abc", 5), 3);
	QT_EQ_INT(qt_edit_distance("abc", "xyzw123456", 2), 3);
}
