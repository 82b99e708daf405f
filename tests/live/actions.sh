# Signals, commands and files: what --unsafe allows, and that no traced text becomes a command.
. tests/live/lib.sh
export TRUTH=$truth
qt -q -e 'begin { system("touch %s", "x"); }'
expect_code 2
expect_match 'refused' "$(cat "$err")" 'E0221.*system\(\) changes the traced system'
# The output of a command stands where the command was run.
qt -q --unsafe -e 'begin { printf("before\n"); system("echo %s %d \"%s\"; echo in", "a  b", 7, "c  d"); printf("after\n"); exit(); }'
expect_eq 'order' "$(tr '\n' '/' <"$out")" 'before/a  b 7 c d/in/after/'
# Texts with everything that a shell knows; characters too.
cp "$TRIG/hits" "$T/h;touch\$x'\`a"
qt -q --unsafe -e "uprobe:$TRIG/strings:take { system(\"printf '[%%s]' %s %c >>$T/said\", comm, 59); exit(); }" -c "$TRIG/strings"
expect_eq 'parameters' "$(cat "$T/said")" '[strings][;]'
printf '#!/bin/sh\nkill -0 $$\n' >"$T/a;touch pwned"; chmod +x "$T/a;touch pwned"
(cd "$T" && qt -q --unsafe -e 'on syscall:kill:return { system("echo <%s>", comm); exit(); }' -c "'$T/a;touch pwned'")
expect_eq 'no command' "$(ls "$T" | grep -c '^pwned$')" 0
# Signals: a process that would run for ten seconds ends at once; one thread's signal; a name that is none is refused.
qtc 'spin 10000' --unsafe --forward-exit -e 'uprobe:./spin:turn /arg0 == 5/ { signal("KILL"); @ = count(); }'
expect_eq 'killed' "$code" 137
qtc 'spin 10000' --unsafe --forward-exit -e 'uprobe:./spin:turn /arg0 == 5/ { signal_thread(15); }'
expect_eq 'terminated' "$code" 143
# Files.
printf 'one\ntwo \033[2J\n' >"$T/file"
qt -q -e "begin { cat(\"$T/%s\", \"file\"); printf(\"end\\n\"); exit(); }"
expect_eq 'cat' "$(tr '\n' '/' <"$out")" 'one/two \x1b[2J/end/'
qt -q -e 'begin { cat("/no/such/file"); exit(); }'
expect_match 'no file' "$(cat "$err")" 'cat\(\): /no/such/file: No such file'
