# Texts: page ends, embedded NUL, hostile bytes; what cannot be read is said, never an empty text.
. tests/live/lib.sh
qtc strings -e 'on uprobe:./strings:take tag arg1, str(arg0) as texts count()'
expect_code 0
row() { rows texts arg1 'str(arg0)' count | awk -F'\t' -v k="$1" '$1 == k { print $2 " " $3 }'; }
expect_eq short "$(row 0)" 'SELECT 1 17'
expect_eq empty "$(row 1)" ' 3'
expect_eq 'page end' "$(row 2)" "$(printf 'x%.0s' $(seq 63)) 5"
expect_match 'long' "$(row 3)" '^SELECT x{1000,1016}.* 7$'
expect_eq 'embedded NUL' "$(row 4)" 'before 11'
expect_eq unmapped "$(row 5)" '<unreadable> 13'
expect_eq null "$(row 6)" '<unreadable> 19'
expect_match hostile "$(row 7)" '^\\u001b\[2Jcaf.* 23$'
expect_eq 'exactly 1023' "$(row 8)" "$(printf 'x%.0s' $(seq 1023)) 29"
# Counted ones end at their NUL; one without a NUL may end with its page; a negative length is no length.
qtc strings -e 'uprobe:./strings:part { @[arg2, str(arg0, arg1)] = count(); }'
map @ | expect_rows 'counted' "$(printf '%s,%s\t1\n' 0 '' 1 GE 2 GET 3 GET 4 GETX 5 hello 6 '<unreadable>' 7 '<unreadable>' 8 '')"
