# bash completion of qtrace. The options and commands are asked of the program itself, so that they never differ from it.
_qtrace() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command='' word commands
	commands=$("${COMP_WORDS[0]}" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case " ${commands//$'\n'/ } " in *" $word "*) command=$word && break ;; esac
	done
	case $prev in
	-f | --format) mapfile -t COMPREPLY < <(compgen -W "$(_qtrace_values --format)" -- "$cur") && return ;;
	--dump) mapfile -t COMPREPLY < <(compgen -W "$(_qtrace_values --dump)" -- "$cur") && return ;;
	--without) mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" doctor 2>/dev/null | sed -n 's/^\(yes\|no\|?\)  *\([a-z_]*\) .*/\2/p')" -- "$cur") && return ;;
	-p | --pid) mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$cur") && return ;;
	-c | --command) mapfile -t COMPREPLY < <(compgen -c -- "$cur") && return ;;
	--target) mapfile -t COMPREPLY < <(compgen -d -- "$cur") && return ;;
	-e | --program | -d | --duration | -i | --interval | --top) return ;;
	esac
	if [[ $cur == -* ]]; then
		# shellcheck disable=SC2086
		mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" $command --help 2>/dev/null | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+')" -- "$cur")
		return
	fi
	case $command in
	explain) mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" explain 2>/dev/null | grep -oE '^([EW][0-9]{4}|[a-z_]+)\b')" -- "$cur") ;;
	'') mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$cur" && compgen -f -- "$cur") ;;
	*) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	esac
}

# The values that the help of an option lists behind its colon, put back on one line first.
_qtrace_values() {
	"${COMP_WORDS[0]}" --help 2>/dev/null | awk -v option="$1" '
		$0 ~ "^ +(-[a-zA-Z], )?" option "[ =]" { on = 1; text = $0; next }
		on && /^                        / { text = text " " $0; next }
		on { on = 0 }
		END { sub(/ \(.*/, "", text); sub(/.*: /, "", text); gsub(/,/, "", text); print text }'
}
complete -o filenames -F _qtrace qtrace
