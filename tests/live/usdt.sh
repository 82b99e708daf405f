# Static probes: operands of every width, two sites, two providers, semaphores raised and lowered.
. tests/live/lib.sh
qtc usdt -e 'usdt:./usdt:tp:idx { @idx[arg0] = count(); }
	usdt:./usdt:tp:site { @site[arg0] = count(); }
	usdt:./usdt:tp:mem { printf("%d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5); }
	usdt:./usdt:tp:consts { printf("%d %x\n", arg0, arg1); }
	usdt:./usdt:tp:text { @text[str(arg0, arg1)] = count(); }
	usdt:./usdt:tp:guarded { @p = count(); } usdt:./usdt:tq:guarded { @q = sum(arg0); }
	usdt:./usdt:*:guarded { @both = count(); }'
expect_code 0
map @idx | expect_rows 'array elements' $'10\t1\n-20\t1\n30\t1\n-40\t1'
map @site | expect_rows 'two sites' $'11\t7\n22\t13'
expect_eq 'operands' "$(get printf data | tr '\n' ' ')" '-1 -300 -70000 200 60000 4000000000\n -1 123456789abcdef\n '
map @text | expect_rows 'counted texts' $'SELECT 1\t1\ncounted\t1'
expect_eq 'provider tp' "$(map @p | cut -f2)" 101
expect_eq 'provider tq: sum of the odd ones' "$(map @q | cut -f2)" 2500
expect_eq 'any provider' "$(map @both | cut -f2)" 151
expect_eq 'the program saw its semaphores raised' "$(true_value tp_guarded) $(true_value tq_guarded)" '101 50'
# Without a probe on them they stay down.
qtc usdt -e 'usdt:./usdt:tp:idx { @n = count(); }'
expect_eq 'semaphores of other probes' "$(true_value tp_guarded) $(true_value tq_guarded)" '0 0'
