# Endless loops end: the rule has so many turns a run, the loop that would take more is left, and that is counted.
. tests/live/lib.sh
qtc neg -e 'config = { max_turns = 1009; } uprobe:./neg:neg { while (1) { @turns++ } for ($i : 0..1000000) { @more++ } @behind++ }'
expect_code 0
calls=$(map @behind | cut -f2)
expect_eq 'turns' "$(map @turns | cut -f2)" $((calls * 1009))
expect_eq 'of the second loop' "$(map @more)" ''
expect_eq 'loops left' "$(loss loop_limit)" $((calls * 2))
