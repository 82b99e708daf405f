# Events that the kernel counts, every one and every 7th; of the processor's, or why there are none.
. tests/live/lib.sh
qtc faults -e 'on uprobe:./faults:touch set call = arg2; on uretprobe:./faults:touch clear call; on software:page-faults:1 tag call as faults'
expect_code 0
n=$(rows faults call count | sed -n 's/^2\t//p')
expect_match 'page faults' "$((n >= 1009 && n < 1020))" 1
qtc faults -e 'on uprobe:./faults:touch set call = arg2; on uretprobe:./faults:touch clear call; on s:faults:7 tag call, probe as faults'
n=$(rows faults call count probe | sed -n 's/^2\t\([0-9]*\)\tsoftware:page-faults:7$/\1/p')
expect_match 'every seventh' "$((n >= 140 && n < 150))" 1
qt -q -e 'hardware:instructions { @ = count(); }' -d 100ms
[ "$code" = 0 ] || expect_match 'no counters' "$(cat "$err")" 'E0608.*a virtual machine hides its counters'
