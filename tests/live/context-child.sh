# A context is the thread's own: neither a forked child nor a new thread has it.
. tests/live/lib.sh
qtc child -e 'on uprobe:./child:work set id = arg0; on syscall:getppid tag id as asked count()'
expect_code 0
expect_eq 'with the context' "$(rows asked id count)" "7	$(true_value own)"
expect_eq 'without' "$(untagged)" "$(true_value others)"
