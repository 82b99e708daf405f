# The same program from -e, a file, standard input and an executable script.
. tests/live/lib.sh
program='begin { printf("hello %d\n", 42); exit(); }'
qt -q -e "$program" && expect_eq '-e' "$(cat "$out")" 'hello 42'
printf '%s\n' "$program" >"$T/p.qt"
qt -q "$T/p.qt" && expect_eq 'a file' "$(cat "$out")" 'hello 42'
"$QTRACE" -q - <"$T/p.qt" >"$out" 2>"$err" && expect_eq 'standard input' "$(cat "$out")" 'hello 42'
ln -s "$QTRACE" "$T/qtrace"
printf '#!/usr/bin/env -S qtrace -q\n%s\n' "$program" >"$T/x.qt" && chmod +x "$T/x.qt"
(PATH=$T:$PATH "$T/x.qt") >"$out" 2>"$err"
expect_eq 'a script' "$(cat "$out")" 'hello 42'
expect_eq 'standard error' "$(cat "$err")" ''
