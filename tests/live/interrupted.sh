# A system call that a signal interrupts returns to the kernel's own code with -512 (ERESTARTSYS), whether the program then sees EINTR or the call begins anew:
# 5 and 3 of them; the 3 that began anew read a byte. Each part has its own latency.
. tests/live/lib.sh
qtc eintr -e 'on syscall:read:return if ret == -512 || ret == 1 tag ret as reads count(), min(latency) as least'
expect_code 0
rows reads ret count | expect_rows 'results' "-512	8
1	3"
expect_eq 'the target' "$(true_value interrupted) $(true_value bytes)" '5 3'
expect_eq 'unpaired' "$(loss unpaired)" 0
