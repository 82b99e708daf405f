# Intervals, begin, end, exit with a code, elapsed.
. tests/live/lib.sh
qt -q -e 'begin { printf("begin\n"); @start = elapsed; } interval:ms:50 { @n++; if (@n == 3) { exit(5); } } end { printf("n=%d\n", @n); }'
expect_code 5
expect_eq 'first line' "$(head -n 1 "$out")" begin
expect_match 'end' "$(cat "$out")" 'n=3'
qt -q -d 200ms -e 'begin { @t = nsecs; } interval:ms:10 { @n++; }'
expect_code 0
qt -q -e 'interval:ms:100 { @last = elapsed; exit(); }' -f json
last=$("$J" map @last <"$out" | cut -f2)
expect_eq "elapsed ($last)" "$((last >= 90000000 && last < 1500000000))" 1
