# What another process does is not seen under -c, nor under -p of another one.
. tests/live/lib.sh
(cd "$TRIG" && exec ./spin 100000 >/dev/null) &
other=$!
qtc neg -e "uprobe:./{neg,spin}:{neg,turn} { @[comm] = count(); }"
map @ | expect_rows 'only neg' $'neg\t5'
qt -q -f json -o "$T/p" -p $other -d 300ms -e "uprobe:$TRIG/spin:turn { @[comm, pid] = count(); }"
expect_code 0
expect_match '-p' "$("$J" map @ <"$T/p")" "^spin,$other[[:space:]][1-9]"
qt -q -f json -o "$T/p" -p $$ -d 200ms -e "uprobe:$TRIG/spin:turn { @[comm] = count(); }"
expect_eq '-p of another process' "$("$J" map @ <"$T/p")" ''
kill $other
