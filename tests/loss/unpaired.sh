# Returns and entries that do not meet: 5 of 13 calls leave by longjmp; the other 8 keep their own times and arguments.
. tests/live/lib.sh
qtc jump -e 'on uretprobe:./jump:leave tag arg0 as r count(), max(latency) as most'
expect_eq 'paired' "$(rows r arg0 count)" $'0\t8'
expect_eq 'unpaired' "$(loss unpaired)" 5
# Deeper than the 32 frames of a thread: 9 of 41 entries are given up, and their returns come without one.
qtc 'rec 40' -e 'on uretprobe:./rec:rec tag arg0 as r count()'
expect_eq 'paired' "$(rows r arg0 count | wc -l)" 32
expect_eq 'entries given up and returns without theirs' "$(loss unpaired)" 18
