# Division by zero gives 0 and is counted.
. tests/live/lib.sh
qtc neg -e 'uprobe:./neg:neg { @q[10 / arg0] = count(); @r[10 % arg0] = count(); }'
expect_code 0
expect_eq 'divisions' "$(loss div_zero)" 2
map @q | expect_rows 'quotients' $'0\t1\n10\t1\n5\t1\n3\t1\n2\t1'
