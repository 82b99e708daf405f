# Memory that cannot be read: 13 times past a mapping, 19 times NULL, once a page that is not there yet.
. tests/live/lib.sh
qtc strings -e 'on uprobe:./strings:take tag str(arg0) count()'
expect_eq 'texts' "$(loss unreadable)" $((13 + 19 + 1))
qtc strings -e 'uprobe:./strings:take { @ = sum(*(uint8 *)arg0); }'
expect_eq 'numbers' "$(loss unreadable)" $((13 + 19 + 1))
