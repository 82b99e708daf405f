# Returns and entries that do not meet: 5 of 13 calls leave by longjmp; the other 8 keep their own times and arguments.
. tests/live/lib.sh
qtc jump -e 'on uretprobe:./jump:leave tag arg0 as r count(), max(latency) as most'
expect_eq 'paired' "$(rows r arg0 count)" $'0\t8'
expect_eq 'unpaired' "$(loss unpaired)" 5
# Deeper than the frames of a thread: what has no frame is counted, the rest is right.
qtc 'rec 40' -e 'on uretprobe:./rec:rec tag arg0 as r count(), max(latency) as most'
expect_eq 'returns and unpaired of 41 calls' "$(($(rows r count | wc -l) + $(loss unpaired)))" 41
