# A path that cannot carry a uprobe is an error that names what works.
. tests/live/lib.sh
printf 'PK\003\004' >"$T/app.jar"
qt -e "uprobe:$T/app.jar:handle { @ = count(); }"
expect_code 2
expect_match 'message' "$(cat "$err")" 'app\.jar'
expect_match 'alternative' "$(cat "$err")" '(libjvm|native|JNI)'
