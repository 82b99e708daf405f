# Options behind the script that are none of its params.
"$QTRACE" --dump=program -e 'param limit = 3; begin { exit(limit); }' --limt 5 >&2
"$QTRACE" --dump=program -e 'param limit = 3; begin { exit(limit); }' --limit five >&2
"$QTRACE" --dump=program -e 'begin { exit(3); }' --limit 5 >&2
