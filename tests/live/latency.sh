# Times of a user function: no shorter than its sleep, one histogram entry each.
. tests/live/lib.sh
qtc naps -e 'on uretprobe:./naps:nap tag arg0 count(), min(latency) as least, hist(latency) as h'
expect_code 0
rows - arg0 count | expect_rows 'naps' "$(sed 's/ms=\([0-9]*\) count=\([0-9]*\)/\1\t\2/' "$truth")"
rows - arg0 least_ns | awk -F'\t' '$2 < $1 * 1000000' | expect_rows 'shorter than the sleep' ''
expect_no_losses
