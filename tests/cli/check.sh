# qtrace check: several files, one closing line, JSON for editors, standard input, dumps, exit codes.
. tests/live/lib.sh
echo 'on syscall:read tag pid' >"$T/good.qt"
echo 'on syscall:read tg pid' >"$T/bad.qt"
echo 'on uprobe:/no/such/thing:fn tag pid' >"$T/absent.qt"

qt check "$T/good.qt" && expect_eq 'silent' "$(cat "$out" "$err")" ''
qt check "$T/bad.qt" "$T/good.qt" "$T/bad.qt"
expect_code 2
expect_match 'the closing line' "$(tail -n 1 "$err")" '^2 errors; qtrace explain E[0-9]+ says more$'
expect_eq 'closed once' "$(grep -c 'says more' "$err")" 1
expect_eq 'two messages' "$(grep -c '^error\[' "$err")" 2

qt check "$T/absent.qt"
expect_code 0
expect_match 'a warning' "$(tail -n 1 "$err")" '^1 warning; '

qt check --json "$T/bad.qt" "$T/absent.qt" "$T/good.qt"
expect_code 2
expect_eq 'nothing on standard error' "$(cat "$err")" ''
expect_eq 'both messages' "$(grep -oE '"severity":"[a-z]+"' "$out" | tr '\n' ' ')" '"severity":"error" "severity":"warning" '
expect_match 'one array' "$(tr -d '\n' <"$out")" '^\[\{.*\}\]$'
qt check --json "$T/good.qt"
expect_eq 'an empty array' "$(cat "$out")" '[]'
qt check --json "$T/none.qt"
expect_code 2
expect_match 'a missing file' "$(cat "$out")" '^\[\{"code":"E0705"'

code=0
"$QTRACE" check - <"$T/bad.qt" >"$out" 2>"$err" || code=$?
expect_code 2
expect_match 'standard input' "$(cat "$err")" '--> -:1:'

for stage in tokens ast program ir plan llvm bpf; do
	qt check --dump=$stage "$T/good.qt"
	expect_code 0
	expect_eq "something for $stage" "$([ -s "$out" ] && echo yes)" yes
done
qt --dump=plan "$T/good.qt"
expect_code 0
expect_match 'a run with a dump runs nothing' "$(cat "$out")" '"programs"'

"$QTRACE" check --dump=llvm "$T/good.qt" 2>"$err" >/dev/full
expect_eq 'a full disk' $? 1
expect_match 'says so' "$(cat "$err")" 'E0706.*No space left'
set -o pipefail
"$QTRACE" check --dump=llvm "$T/good.qt" 2>"$err" | true
expect_eq 'a closed pipe is no error' "$(cat "$err")" ''
