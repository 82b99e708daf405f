# A process is followed until its last thread has ended, also when its first one ends before; and through the forks of a daemon.
. tests/live/lib.sh
qtc leader -e 'on uprobe:./leader:work tag pid == tid count()'
expect_code 0
expect_eq 'calls of both threads' "$(rows - count | sort -n | tr '\n' ' ')" '3 13 '
expect_no_losses
qtc 'leader daemon' -e 'on uprobe:./leader:work tag comm count()'
expect_eq 'calls of the daemon' "$(rows - count)" 17
expect_no_losses
