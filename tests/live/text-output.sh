# Text: one table a tag, largest first, control characters escaped, units on durations.
. tests/live/lib.sh
cd "$TRIG" || exit 1
TRUTH=$truth qt -e 'on uprobe:./strings:take tag str(arg0) count()' -c ./strings
expect_code 0
expect_eq 'no control characters' "$(tr -d '\n\t' <"$out" | grep -c '[[:cntrl:]]')" 0
expect_eq 'largest first' "$(grep -oE '[0-9]+ *$' "$out" | grep -v '^$' | sort -rnc 2>&1)" ''
TRUTH=$truth qt -e 'on uretprobe:./naps:nap tag arg0 count(), avg(latency), hist(latency)' -c ./naps
expect_match 'durations have units' "$(cat "$out")" '(ms|us)'
expect_match 'histogram bars' "$(cat "$out")" '@@@|###|███|▇'
