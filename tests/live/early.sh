# With -c the probes are there before the first instruction: a constructor's call counts, every time.
. tests/live/lib.sh
for i in 1 2 3 4 5 6 7 8 9 10 11; do
	qtc neg -e 'on uprobe:./neg:early tag 1 as early count(); on uprobe:./neg:neg tag 1 as neg count()'
	expect_eq "run $i" "$code $(rows early count) $(rows neg count)" '0 1 5'
done
