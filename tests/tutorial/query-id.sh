# The classic form, with its classic flaw: one id a process, so threads mix. Only sums are compared.
. tests/live/lib.sh
[ "$(id -u)" -eq 0 ] || skip 'needs root'
qtc target "$top/tests/tutorial/query-id.qt"
expect_code 0
lines=$(grep -c '"type":"printf"' "$out") lost=$(loss ring_full)
expect_eq 'lines, shown or lost' "$((lines + lost))" "$(true_value preads | awk '{ n += $1 } END { print n }')"
reads=$(map @reads | awk '{ n += $2 } END { print n }') want=$(true_value reads | awk '{ n += $1 } END { print n }')
expect_eq 'reads' "$reads" "$want"
