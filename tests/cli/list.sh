# qtrace list: what is listed can be pasted into a script; reasons where there is nothing.
. tests/live/lib.sh
qt list 'uprobe:./build/triggers/target:f*'
expect_code 0
expect_match 'a function' "$(cat "$out")" 'uprobe:.*target:fn'
while read -r probe; do
	qt check -e "on $probe tag comm"
	expect_eq "$probe can be pasted" "$code$(cat "$err")" 0
done < <("$QTRACE" list 'uprobe:./build/triggers/target:f*')
qt list ./build/triggers/usdt
expect_match 'a binary: its USDT probes first' "$(head -n 1 "$out")" '^usdt:'
qt list uprobe
expect_code 2
expect_match 'which binary?' "$(cat "$err")" 'E0710.*which program'
qt list uprobe:/etc/passwd
expect_code 2
expect_match 'no binary' "$(cat "$err")" 'E0710'
