# A text that is set as context is the key of what follows, also in other rules and for the same text at other addresses.
. tests/live/lib.sh
qtc 'keys 211' -e 'on uprobe:./keys:key set sql = str(arg1), n = arg0; on uprobe:./keys:key if n % 2 == 0 tag sql count()'
expect_code 0
rows - sql count | expect_rows 'texts' "$(for k in $(seq 0 2 210); do printf 'SELECT %d\t3\n' "$k"; done)"
expect_no_losses
