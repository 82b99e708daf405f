# Texts longer than the limit are cut, marked and counted: 7 calls of 4999 bytes; with a limit of 64, those of 1023 and 1024 too.
. tests/live/lib.sh
qtc strings -e 'on uprobe:./strings:take tag str(arg0) count()'
expect_eq 'limit 1024' "$(loss truncated)" 7
qtc strings -e 'config = { max_strlen = 64; } on uprobe:./strings:take tag str(arg0) count()'
expect_eq 'limit 64' "$(loss truncated)" $((7 + 29 + 31))
