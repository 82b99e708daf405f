# Where the kernel has neither kprobes nor trampolines, the message says why and what carries the same event.
. tests/live/lib.sh
! grep -qw register_kprobe /proc/kallsyms || skip 'this kernel has kprobes'
qt -e 'on kprobe:vfs_read tag comm'
[ $code -eq 1 ] || [ $code -eq 2 ] || complain "exit code $code"
expect_match 'why' "$(cat "$err")" 'CONFIG_KPROBES'
expect_match 'what instead' "$(cat "$err")" 'syscall:read'
