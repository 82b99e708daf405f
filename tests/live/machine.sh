# The machine, registers, symbols and the parent: each against what the system says.
. tests/live/lib.sh
export TRUTH=$truth
qt -q -f json -e 'begin { printf("%d %d %s", ncpus, cpid, probetype); exit(); }'
expect_eq 'begin' "$(get printf data)" "$(($(sed 's/.*-//' /sys/devices/system/cpu/possible) + 1)) 0 begin"
qtc stacks -e 'uprobe:./stacks:leaf { @[usym(reg("ip")), usym(uaddr("main")), probetype, usermode, cpid == pid] = count(); @parent[pcomm, ppid != pid] = count(); }'
expect_code 0
map @ | expect_rows 'registers and symbols' "$(printf 'leaf,main,uprobe,1,1\t44\nleaf,main,uprobe,1,0\t7')"
map @parent | expect_rows 'parents' "$(printf '%s,1\t44\nstacks,1\t7' "$(basename "$QTRACE")")"
expect_no_losses
# A symbol of data is read through its address, wherever the program was put.
qtc spin -d 100ms -e 'begin { @ = kaddr("vfs_read"); @n = ksym(kaddr("vfs_read")); }'
expect_eq 'kaddr' "$(map @n | cut -f2)" vfs_read
qt -q -e 'begin { @ = kaddr("no_such_symbol_in_a_kernel"); }'
expect_code 1
expect_match 'no symbol' "$(cat "$err")" 'E0614.*this kernel has no symbol `no_such_symbol_in_a_kernel`'
qt -q -e 'begin { @ = cgroupid("/sys/fs/cgroup/no-such-group"); }'
expect_code 1
expect_match 'no cgroup' "$(cat "$err")" 'E0614'
# Registers of what a timer interrupted: a program that only counts is in user mode nearly always.
qtc 'spin 700' -e 'profile:hz:199 { @[usermode] = count(); }'
expect_match 'user mode' "$(map @ | sort -t"$(printf '\t')" -k2 -n | tail -1)" '^1'
