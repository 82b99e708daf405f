dir=$(mktemp -d) && trap 'rm -r "$dir"' EXIT
printf '\004\0\0\0\004\0\0\0\004\0\0\0Go\0\0abcd' >"$dir/note"
objcopy --add-section .note.go.buildid="$dir/note" --set-section-flags .note.go.buildid=alloc,readonly /usr/bin/gcc "$dir/server" 2>/dev/null
"$QTRACE" check -e "on uretprobe:$dir/server:main tag comm" 2>&1 | sed "s,$dir,DIR,g; /|/s/\^*$//" >&2
exit "${PIPESTATUS[0]}"
