# After clear the thread has no context: only what happens between entry and return of the function is charged.
. tests/live/lib.sh
qtc 'naps' -e 'on uprobe:./naps:nap set ms = arg0; on uretprobe:./naps:nap clear ms
	on syscall:clock_nanosleep tag ms count(); on syscall:write if has(ms) tag ms as writes count()'
expect_code 0
rows - ms count | expect_rows 'sleeps' "$(sed 's/ms=\([0-9]*\) count=\([0-9]*\)/\1\t\2/' "$truth")"
rows writes ms count | expect_rows 'writes inside of nap' ''
