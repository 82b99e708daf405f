# Loops over maps in the kernel: every entry once, aggregations added up over all CPUs, entries removed in a turn, tuples as keys and values, names in keys.
. tests/live/lib.sh
qtc hits -e 'uprobe:./hits:hit { @by[arg0 % 101, comm] = count(); @sum[arg0 % 7] = sum(arg0); @max[comm] = max(arg0); @last[arg0 % 13] = (arg0 % 13, comm); }
	end {
		for ($kv : @by) { @rows++; @calls += $kv.1; if ($kv.0.1 == "hits") { @named++ } }
		for ($kv : @sum) { @total += $kv.1; if ($kv.0 % 2) { continue } @even++ }
		for ($kv : @max) { printf("max of %s is %d\n", $kv.0, $kv.1); }
		for ($kv : @last) { if ($kv.0 == $kv.1.0 && $kv.1.1 == "hits") { @same++ } }
		for ($a : @sum) { for ($b : @sum) { @square++ } }
		for ($kv : @last) { if ($kv.0 > 5) { delete(@last, $kv.0) } }
		for ($kv : @last) { @left++ }
		printf("%d %d\n", @max["hits"], @sum[3] > 0);
	}'
expect_code 0
expect_eq 'calls' "$(map @calls | cut -f2)" "$(true_value hits)"
expect_eq 'sum' "$(map @total | cut -f2)" "$(true_value sum)"
expect_eq 'rows' "$(map @rows | cut -f2) $(map @named | cut -f2)" '101 101'
expect_eq 'even' "$(map @even | cut -f2)" 4
expect_eq 'pairs' "$(map @square | cut -f2)" 49
expect_eq 'values that are tuples' "$(map @same | cut -f2)" 13
expect_eq 'entries that are left' "$(map @left | cut -f2)" 6
expect_eq 'printed' "$(get printf data | tr '\n' ,)" 'max of hits is 100002\n,100002 1\n,'
expect_no_losses
