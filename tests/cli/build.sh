# qtrace build: the same bytes each time; a damaged plan is refused with a reason, never run.
. tests/live/lib.sh
script='on syscall:read:return if ret > 0 tag comm as reads count(), sum(ret) as bytes, hist(latency)'
qt build -e "$script" -o "$T/a.qtp" && expect_eq 'silent' "$(cat "$out" "$err")" ''
qt build -e "$script" -o "$T/b.qtp"
cmp "$T/a.qtp" "$T/b.qtp" || complain 'two builds differ'
qt run --dump=plan "$T/a.qtp" && cp "$out" "$T/from-file"
qt check --dump=plan -e "$script"
cmp "$out" "$T/from-file" || complain 'the plan of the file is another one'

refused() { # WHAT WORDS
	qt run "$T/c.qtp"
	expect_code 2
	expect_match "$1" "$(cat "$err")" "error\[E0707\].*$2"
}
head -c 1000 "$T/a.qtp" >"$T/c.qtp" && refused 'cut' 'c.qtp: the file is damaged'
(cat "$T/a.qtp" && echo) >"$T/c.qtp" && refused 'longer' 'the file is damaged'
cp "$T/a.qtp" "$T/c.qtp" && printf '\xfe' | dd of="$T/c.qtp" bs=1 seek=2003 conv=notrunc status=none && refused 'one byte' 'the file is damaged'
printf 'qtplan\x63\0\0\0' >"$T/c.qtp" && refused 'another version' 'another version'

qt build -e "$script"
expect_code 2
expect_match 'without -o' "$(cat "$err")" 'E0704'
qt build -e "$script" -o "$T/none/c.qtp"
expect_code 1
expect_match 'no such folder' "$(cat "$err")" 'E0706'
qt build -e 'on syscall:read tg pid' -o "$T/d.qtp"
expect_code 2
expect_eq 'no file after an error' "$([ -e "$T/d.qtp" ] || echo none)" none
qt run --dump=ir "$T/a.qtp"
expect_code 2
expect_match 'a plan has no other stage' "$(cat "$err")" 'E0703'
