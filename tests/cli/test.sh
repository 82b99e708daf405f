# qtrace test: passed and failed tests, what a failure shows, exit codes.
. tests/live/lib.sh
cat >"$T/t.qt" <<'END'
on uprobe:./app:handle            set id = arg1
on syscall:read:return if ret > 0 tag id as reads count(), sum(ret) as bytes
uprobe:./app:say { printf("%s\n", str(arg0)); }
test "right" {
	feed uprobe:./app:handle (0, 41) as tid 7;
	feed syscall:read:return (ret = 100) as tid 7;
	feed syscall:read:return (ret = 5) as tid 8;
	expect reads untagged 1 { 41: 1, 100; }
}
test "wrong" {
	feed uprobe:./app:handle (0, 41) as tid 7;
	feed syscall:read:return (ret = 100) as tid 7;
	expect reads untagged 3 { 41: 2, 100; 43: 1, 1; }
	feed uprobe:./app:say ("a");
	feed uprobe:./app:say ("b");
	expect output { "b"; "a"; }
	expect losses { }
}
END
qt test "$T/t.qt"
expect_code 1
expect_eq 'the whole output' "$(sed "s|$T/||" "$out")" 'ok right
  t.qt:13: reads is not as expected (- expected, + found)
    + 41: 1, 100
    - 41: 2, 100
    - 43: 1, 1
    + untagged 0
    - untagged 3
  t.qt:16: output is not as expected (- expected, + found)
    - "b"
    + "a"
    - "a"
    + "b"
FAIL wrong (t.qt:10)
1 passed, 1 failed'
sed -i '/^test "wrong"/,$d' "$T/t.qt"
qt test "$T/t.qt" "$T/t.qt"
expect_code 0
expect_eq 'the last line' "$(tail -n 1 "$out")" '2 passed, 0 failed'
qt test -e 'begin { exit( }'
expect_code 2
