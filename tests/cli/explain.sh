# qtrace explain: every code and every cause of loss has words; the list names them all.
. tests/live/lib.sh
qt explain
cp "$out" "$T/list"
for word in $(grep -oE '^[EW][0-9]{4}' "$T/list") $(sed '1,/^Causes of loss/d' "$T/list" | cut -d' ' -f1); do
	qt explain "$word"
	expect_code 0
	expect_match "explain $word" "$(head -n 1 "$out")" "^$word: ."
	expect_eq "$word: lines of at most 100" "$(awk 'length > 100' "$out")" ''
done
expect_eq 'codes in the table' "$(grep -cE '^[EW][0-9]{4}  ' "$T/list")" "$(grep -c '^DIAG(' "$top/base/diag_codes.def")"
expect_eq 'causes in the table' "$(sed '1,/^Causes of loss/d' "$T/list" | wc -l)" "$(grep -c '^LOSS(' "$top/plan/loss.def")"
qt explain e0701 && expect_match 'case does not matter' "$(cat "$out")" '^E0701:'
