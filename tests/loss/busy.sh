# More programs at once on one CPU than it has scratch slots. A read of an address where nothing is faults in the kernel, and there is a tracepoint for that: each rule below reads
# where the next one waits, so that they stand in each other, and the fifth finds no slot. The rule `seen` needs no slot and counts the faults: how many a read makes is the kernel's matter.
. tests/live/lib.sh
fault=rawtracepoint:page_fault_kernel
qt list "$fault"
[ -s "$out" ] || skip 'no tracepoint page_fault_kernel'
seen="on $fault if arg0 >= 0x1000 && arg0 <= 0x4000 tag arg0 as seen count()"
four="on uprobe:./hits:hit tag str(0x1000) as a count() on $fault if arg0 == 0x1000 tag str(0x2000) as b count()
	on $fault if arg0 == 0x2000 tag str(0x3000) as c count() on $fault if arg0 == 0x3000 tag str(0x4000) as d count()"
five="$four on $fault if arg0 == 0x4000 tag str(0x5000) as e count()"
faults() { rows seen arg0 count | sed -n "s/^$((16#$1))\t//p"; }
counted() { rows "$1" count | awk '{ n += $1 } END { print n + 0 }'; }

# Four slots for four: nothing is lost, and each has as many events as there were faults for it.
qtc 'hits 1009 1' -e "$seen $four"
expect_eq 'first of four' "$(counted a)" 1009
expect_eq 'fourth of four' "$(counted d)" "$(faults 3000)"
expect_eq 'events for which there was a slot' "$(loss busy)" 0
[ "$(faults 4000)" -ge 1009 ] || complain "no read of the fourth faulted: $(faults 4000)"

qtc 'hits 1009 1' -e "$seen $five"
expect_eq 'first of five' "$(counted a)" 1009
expect_eq 'fourth of five' "$(counted d)" "$(faults 3000)"
expect_eq 'fifth of five' "$(counted e)" 0
expect_eq 'events without a slot' "$(loss busy)" "$(faults 4000)"
expect_eq 'rows that were made with interrupts off and not kept' "$(loss map_full)" 0
expect_eq 'texts that were not there' "$(loss unreadable)" "$((1009 + $(faults 1000) + $(faults 2000) + $(faults 3000)))"
cd "$TRIG" && qt -e "$five" -c './hits 2 1'
expect_match 'message' "$(cat "$err")" '[0-9]+ events dropped because all scratch slots of a CPU were taken'
