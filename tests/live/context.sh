# The main case: a context set by a user function, system calls counted and summed by it, in three threads.
. tests/live/lib.sh
qtc target -e 'on uprobe:./target:fn set ctx = arg1
	on syscall:read:return if ret > 0 tag ctx as reads count(), sum(ret) as bytes
	on syscall:pread64:return if ret > 0 tag ctx as preads count(), sum(ret) as bytes'
expect_code 0
rows reads ctx count bytes | expect_rows 'reads' "$(sed -n 's/^ctx=\([0-9]*\) reads=\([1-9][0-9]*\) .*/\1 \2/p' "$truth" | awk '{ print $1 "\t" $2 "\t" $2 * 13 }')"
rows preads ctx count bytes | expect_rows 'preads' "$(sed -n 's/^ctx=\([0-9]*\) .*preads=\([1-9][0-9]*\) .*/\1 \2/p' "$truth" | awk '{ print $1 "\t" $2 "\t" $2 * 17 }')"
# main reads 53 times without a context; the dynamic loader read the library's head before.
n=$(grep '"name":"reads"' "$out" | "$J" get tag untagged)
expect_eq 'untagged' "$((n >= 53 && n < 60))" 1
expect_no_losses
