# A run, not a check: what is missing is an error.
dir=$(mktemp -d) && trap 'rm -r "$dir"' EXIT
cp /bin/true "$dir/server"
"$QTRACE" --dump=program -e "on uprobe:$dir/sever:main tag comm" 2>&1 | sed "s,$dir,DIR,g; /|/s/\^*$//" >&2
exit "${PIPESTATUS[0]}"
