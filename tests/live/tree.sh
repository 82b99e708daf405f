# -c sees the command and its descendants, through fork and exec.
. tests/live/lib.sh
qtc tree -e 'on uprobe:./tree:work tag pid, comm count()'
expect_code 0
expect_eq 'calls and processes' "$(rows - count | sort -n | tr '\n' ' ')" '1 2 2 2 11 '
expect_no_losses
