# 0 done, 1 could not run, 2 wrong program or command line; with --forward-exit the command's own. A wrong program never starts the command.
. tests/live/lib.sh
cd "$TRIG" || exit 1
qt -q -e 'on uprobe:./neg:neg' -c ./neg && true; expect_code 2
qt -q -e 'on uprobe:./neg:no_such_function tag 1' -c "touch $T/ran"; expect_code 2
expect_match 'message' "$(cat "$err")" 'no_such_function'
qt -q -e 'on uprobe:./neg:neg tag 1; on uprobe:./neg:nge tag 1' -c "touch $T/ran"; expect_code 2
expect_match 'suggestion' "$(cat "$err")" 'neg'
expect_eq 'the command did not run' "$(ls "$T" | grep -c ran)" 0
qt --no-such-option; expect_code 2
qt -q -e 'on uprobe:./rec:rec tag 1' -c ./rec; expect_code 0
qt -q --forward-exit -e 'on uprobe:./rec:rec tag 1' -c ./rec; expect_code 7
qt -q -e 'begin { exit(); }' -c /no/such/program; expect_code 1
