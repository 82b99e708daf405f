# Threads by number and name.
. tests/live/lib.sh
qtc threads -e 'syscall:getppid { @[tid] = count(); @name[comm] = count(); @pids[pid] = count(); }'
expect_code 0
expect_eq 'calls of each thread' "$(map @ | cut -f2 | tr '\n' ' ')" '11 11 11 11 '
map @name | expect_rows 'by name' $'worker\t44'
expect_eq 'processes' "$(map @pids | cut -f2)" 44
