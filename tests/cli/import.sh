# import: beside the importing script, in QTRACE_PATH; each file once; a circle, a missing file and errors inside are told at their own lines; tests stay their script's own.
. tests/live/lib.sh
mkdir -p "$T/lib/deep" "$T/path"
cat >"$T/main.qt" <<'S'
import "lib/a.qt"
import "lib/b.qt"
import "far.qt"
uprobe:./app:f { @main++ }
test "all of them" { feed uprobe:./app:f (); expect @a { 1; } expect @b { 1; } expect @c { 1; } expect @far { 1; } expect @main { 1; } }
S
printf 'import "deep/c.qt"\nuprobe:./app:f { @a++ }\ntest "not here" { expect @a { 7; } }\n' >"$T/lib/a.qt"
printf 'import "deep/c.qt"\nuprobe:./app:f { @b++ }\n' >"$T/lib/b.qt"
printf 'uprobe:./app:f { @c++ }\n' >"$T/lib/deep/c.qt"
printf 'uprobe:./app:f { @far++ }\n' >"$T/path/far.qt"
QTRACE_PATH=/nowhere:$T/path qt test "$T/main.qt"
expect_code 0
expect_match 'passed' "$(cat "$out" "$err")" '1 passed'
qt test "$T/main.qt"
expect_code 2
expect_match 'not in the path' "$(cat "$err")" 'E0222.*far.qt'
printf '\nimport "y.qt"\n' >"$T/x.qt"
printf 'import "x.qt"\n' >"$T/y.qt"
qt check "$T/x.qt"
expect_code 2
expect_match 'a circle' "$(cat "$err")" 'imports itself'
expect_match 'where' "$(cat "$err")" 'y.qt:1:1'
printf 'import "wrong.qt"\n' >"$T/z.qt"
printf 'begin {\n  @x = no_such_name;\n}\n' >"$T/wrong.qt"
qt check "$T/z.qt"
expect_code 2
expect_match 'the line of the imported file' "$(cat "$err")" 'wrong.qt:2:8'
qt check -e "import \"$T/lib/b.qt\""
expect_code 0
