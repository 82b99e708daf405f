# Completion offers what the program has: commands, options, values.
. tests/live/lib.sh
. "$top/cli/completion.bash"
offers() { # WORDS...: what is offered for the last one
	COMP_WORDS=("$QTRACE" "$@")
	COMP_CWORD=$#
	COMPREPLY=()
	_qtrace
	echo "${COMPREPLY[*]}"
}
expect_eq 'commands' "$(cd "$T" && offers ex)" explain
expect_eq 'options' "$(offers --for)" '--format --forward-exit'
expect_eq 'options of a command' "$(offers check --js)" --json
expect_eq 'none of other commands' "$(offers check --forw)" ''
expect_eq 'formats' "$(offers -f js)" json
expect_eq 'stages' "$(offers --dump p)" 'program plan'
expect_eq 'codes' "$(offers explain E0701)" E0701
expect_eq 'every option of the table' "$(offers -- | wc -w)" "$("$QTRACE" --help | grep -cE '^ +(-[a-zA-Z], )?--[a-z-]+')"
