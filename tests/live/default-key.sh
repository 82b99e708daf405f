# `ctx ?? other` charges what has no context to the other key, and then nothing is untagged.
. tests/live/lib.sh
qtc target -e 'on uprobe:./target:fn set ctx = arg1
	on syscall:pread64 tag ctx ?? 1 as all count(); on syscall:read if has(ctx) tag ctx as some count()'
expect_code 0
want=$(sed -n 's/^ctx=\([0-9]*\) .*preads=\([1-9][0-9]*\) .*/\1\t\2/p' "$truth")
rows all ctx count | grep -v $'^1\t' | expect_rows 'preads' "$want"
rows some ctx count | expect_rows 'reads' "$(sed -n 's/^ctx=\([0-9]*\) reads=\([1-9][0-9]*\) .*/\1\t\2/p' "$truth")"
expect_eq 'untagged' "$(untagged | sort -u)" 0
