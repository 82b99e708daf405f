# Four threads, 400012 calls: counts and sums of every kind lose nothing.
. tests/live/lib.sh
qtc hits -e 'uprobe:./hits:hit { @count = count(); @sum = sum(arg0); @plus++; @max = max(arg0); @min = min(arg0); @avg = avg(arg0); @h = hist(arg0); }
	on uprobe:./hits:hit tag arg0 % 7 count(), sum(arg0) as total'
expect_code 0
hits=$(true_value hits) sum=$(true_value sum)
expect_eq 'count' "$(map @count | cut -f2)" "$hits"
expect_eq 'sum' "$(map @sum | cut -f2)" "$sum"
expect_eq '@plus++' "$(map @plus | cut -f2)" "$hits"
expect_eq 'max' "$(map @max | cut -f2)" 100002
expect_eq 'min' "$(map @min | cut -f2)" 0
expect_eq 'avg' "$(map @avg | cut -f2)" 50001
expect_eq 'rows by remainder' "$(rows - count | awk '{ n += $1 } END { print NR, n }')" "7 $hits"
expect_eq 'sum of the rows' "$(rows - total | awk '{ n += $1 } END { printf "%.0f", n }')" "$sum"
expect_eq 'events in the histogram' "$(grep '"type":"hist"' "$out" | grep -oE '"count":[0-9]+' | awk -F: '{ n += $2 } END { print n }')" "$hits"
expect_no_losses
