# A constructor's call and main()'s, in a program that is over at once: both, every time.
. tests/live/lib.sh
for i in $(seq 31); do
	qtc once -e 'on uprobe:./once:once tag 1 as once count()'
	expect_eq "run $i" "$code $(rows once count)" '0 2'
done
