# One event by each road: tracepoint, raw tracepoint, system call. getppid is number 110 on x86-64.
. tests/live/lib.sh
[ "$(uname -m)" = x86_64 ] || skip 'the number of getppid is that of x86-64'
qtc threads -e 'tracepoint:syscalls:sys_enter_getppid { @tp = count(); } tracepoint:syscalls:sys_exit_getppid { @exit = count(); }
	rawtracepoint:sys_enter /arg1 == 110/ { @raw = count(); }
	tracepoint:raw_syscalls:sys_enter /args.id == 110/ { @rawtp = count(); }
	syscall:getppid { @sc = count(); } syscall:getppid:return /ret > 0/ { @ret = count(); }
	tracepoint:sched:sched_process_exit { @exits = count(); }'
expect_code 0
for m in tp exit raw rawtp sc ret; do expect_eq "@$m" "$(map @$m | cut -f2)" 44; done
expect_eq 'threads that ended' "$(map @exits | cut -f2)" 5
