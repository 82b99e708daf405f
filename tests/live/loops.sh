# Loops in the kernel: exact counts, arguments of the event and texts in turns, ways out of every kind, 100003 turns.
. tests/live/lib.sh
qtc keys -e 'begin {
		for ($i : 0..100003) { @turns++ }
		$n = 0;
		while ($n < 1009) { $n += 3; if ($n % 2) { continue } if ($n > 997) { break } @even++ }
		for ($a : 0..13) { for ($b : 0..$a) { if ($b == 7) { break } @nested[$a]++ } }
		unroll (17) { @rolls++ }
		printf("%d\n", $n);
	}'
expect_code 0
expect_eq 'turns' "$(map @turns | cut -f2)" 100003
expect_eq 'even' "$(map @even | cut -f2)" 166
expect_eq 'nested' "$(map @nested | awk '{ n += $2 } END { print NR, n }')" '12 63'
expect_eq 'rolls' "$(map @rolls | cut -f2)" 17
expect_eq 'printed' "$(get printf data)" '1002\n'
expect_no_losses

# What the event gives is at hand in turns: arguments, texts, the thread, its context, the time since the entry.
qtc neg -e 'on uprobe:./neg:neg set k = arg0
	uprobe:./neg:neg { for ($i : 0..arg0) { @by[arg0, comm, k]++; if ($i == 2) { return } } @through[arg0]++ }
	uretprobe:./neg:neg { for ($i : 0..3) { if (latency > 0) { @timed[(int32)retval]++ } } }'
expect_code 0
map @by | expect_rows 'by argument' "$(for i in 1 2; do printf '%d,neg,%d\t%d\n' $i $i $i; done; for i in 3 4; do printf '%d,neg,%d\t3\n' $i $i; done)"
map @through | expect_rows 'through' "$(for i in 0 1 2; do printf '%d\t1\n' $i; done)"
map @timed | expect_rows 'timed' "$(for i in -10 -9 -8 -7 -6; do printf '%d\t3\n' $i; done)"
qtc strings -e 'uprobe:./strings:take { $n = 0; while ($n < 3 && str(arg0) == "SELECT 1") { $n++; if ($n == 2) { continue } printf("%s %d\n", str(arg0), $n); @t[str(arg0)]++ } }'
expect_code 0
expect_eq 'texts in turns' "$(map @t)" $'SELECT 1\t34'
expect_eq 'lines in turns' "$(get printf data | sort | uniq -c | awk '{ print $1, $2, $3, $4 }' | tr '\n' ,)" '17 SELECT 1 1\n,17 SELECT 1 3\n,'
