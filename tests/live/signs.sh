# Signs and widths of arguments and results, as casts say.
. tests/live/lib.sh
qtc neg -e 'uretprobe:./neg:neg { @r[(int32)retval] = count(); if ((int32)retval < -7) { @below = count(); } }
	uprobe:./neg:wide { printf("%d %d %d %d %d %u %d\n", (int8)arg0, (int16)arg1, (int32)arg2, (int64)arg3, (uint8)arg4, arg5, (int64)arg6); }'
expect_code 0
map @r | expect_rows 'results' "$(for i in -10 -9 -8 -7 -6; do printf '%d\t1\n' $i; done)"
expect_eq 'below -7' "$(map @below | cut -f2)" 3
expect_eq 'wide' "$(get printf data)" '-1 -300 -70000 -9223372036854775808 200 18446744073709551615 -7\n'
