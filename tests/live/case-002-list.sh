# What is listed can be pasted back as a probe: every 211th function of the C++ library, operators and templates among them.
. tests/live/lib.sh
qt list 'uprobe:libstdc++:*'
expect_code 0
awk 'NR % 101 == 1' "$out" >"$T/picked"
expect_match 'how many were picked' "$(wc -l <"$T/picked")" '^[1-9][0-9]'
while IFS= read -r probe; do
	qt --dry-run -e "$probe { @n = count(); }"
	expect_eq "$probe" "$code" 0
done <"$T/picked"
