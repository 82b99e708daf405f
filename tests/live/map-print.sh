# print and clear in the middle of a run; the final tables hold what came after.
. tests/live/lib.sh
qtc 'keys 17' -e 'uprobe:./keys:key { @n = count(); if (arg0 == 16) { print(@n); clear(@n); } }'
expect_code 0
expect_eq 'printed' "$(map @n | cut -f2 | tr '\n' ' ' | awk '{ print $1 + $2 + $3 }')" 51
