# 2003 threads at once, some of which fall on one place in the array of threads: each keeps its context. 5003 threads one after the other, in memory that the kernel
# uses again: none finds the context of one that is gone.
. tests/live/lib.sh
qtc 'crowd all 2003' -e 'on uprobe:./crowd:work set id = arg0; on syscall:getppid tag id as asked count(); on syscall:getppid tag id >= 0 as total count()'
expect_code 0
expect_eq 'threads' "$(rows asked id | wc -l)" 2003
expect_eq 'rows with another count than 3' "$(rows asked count | grep -vc '^3$')" 0
expect_eq 'events' "$(rows total count)" "$(true_value asked)"
expect_eq 'without a context' "$("$J" get tag untagged <"$out" | sort -u)" 0
qtc 'crowd each 5003' -e 'on uprobe:./crowd:work set id = arg0; on syscall:getppid tag id % 2 as asked count()'
expect_code 0
expect_eq 'with a context' "$(rows asked count)" "$(true_value with)"
expect_eq 'without one' "$(untagged)" "$(true_value without)"
