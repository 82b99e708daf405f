# Stacks of processes by name, after the processes have gone; the caller of a function that has no frame; equal stacks of two processes are one row.
. tests/live/lib.sh
export TRUTH=$truth
first() { sed -E 's/\+[0-9]+//g; s/","/ /g; s/^\["//; s/"\]//'; }
qtc stacks -e 'on uprobe:./stacks:leaf tag ustack(3) as calls count(); uprobe:./stacks:leaf { @depth[len(ustack(2)), len(ustack(1))] = count(); }'
expect_code 0
rows calls "ustack(3)" count | first | expect_rows 'stacks' "$(printf 'leaf left many\t38\nleaf right many\t13')"
map @depth | expect_rows 'depths' "$(printf '2,1\t51')"
expect_no_losses
# Code that no file has: by what its maker tells.
qtc 'stacks jit' -e 'on uprobe:./stacks:leaf tag ustack(3) as calls count()'
rows calls "ustack(3)" count | first | expect_rows 'jit' "$(printf 'leaf left many\t38\nleaf right many\t13\nleaf made at run time run_jit\t11')"
rm -f "/tmp/perf-$(true_value pid).map"
# Addresses as they are: as many rows as there are stacks and processes.
qtc stacks -e 'on uprobe:./stacks:leaf tag ustack(raw, 3) as calls count()'
expect_eq 'processes apart' "$(rows calls count | LC_ALL=C sort -n | tr '\n' ' ')" '7 13 31 '
# Text: frames below the row, four blanks in.
qt -q -e 'on uprobe:'"$TRIG"'/stacks:leaf tag ustack(2) as calls count()' -c "$TRIG/stacks"
expect_match 'text' "$(cat "$out")" $'\n   38\n    leaf\\+0\n    left\\+[0-9]+\n'
qt -q -e 'uprobe:'"$TRIG"'/stacks:leaf { @[ustack(perf, 2), comm] = count(); }' -c "$TRIG/stacks"
expect_match 'map' "$(cat "$out")" $'@\\[\n +[0-9a-f]+ leaf\\+0 \\([^ ]*/stacks\\)\n +[0-9a-f]+ left\\+[0-9]+ \\([^ ]*/stacks\\)\n, stacks\\]: '
qt -q -e 'uprobe:'"$TRIG"'/stacks:leaf { printf("%s|%s|\n", ustack(2), usym(arg0 * 0 + 1)); exit(); }' -c "$TRIG/stacks"
expect_eq 'printf' "$(sed -E 's/\+[0-9]+//' "$out" | head -4 | tr '\n' '/')" '/    leaf/    left/|0x1|/'
# The kernel's: a system call is entered through its entry. No frame of the tracer's own is shown.
qtc target -e 'on rawtracepoint:sys_enter tag kstack as calls count()'
expect_eq 'own frames' "$(grep -c 'bpf_' "$out")" 0
expect_match 'kernel' "$(rows calls kstack)" 'do_syscall_64\+[0-9]+'
qtc target -e 'on syscall:read tag kstack(raw, 1) as calls count()'
expect_match 'raw' "$(rows calls 'kstack(raw, 1)')" '0xffffffff[0-9a-f]{8}'
