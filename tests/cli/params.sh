# Options behind the script are values of its params: numbers with units, texts, truth values, in expressions and in probes.
. tests/live/lib.sh
cat >"$T/p.qt" <<S
param limit = 10ms "slower than this"
param fn = "neg"
param loud = false
param low = 0
uprobe:$TRIG/neg:\${fn} { if (arg0 > limit && (int64)arg0 > low) { @slow++ } if (loud) { printf("%d %s\n", limit, \$1); } }
S
qt run --dump=program "$T/p.qt" word --limit 20ms --fn=wide --loud true --low -5
expect_code 0
expect_match 'the probe' "$(cat "$out")" ':wide'
expect_match 'the limit' "$(cat "$out")" '20000000'
expect_match 'a negative number' "$(cat "$out")" ' -5'
expect_match 'the word' "$(cat "$out")" '"word"'
qt run --dump=program "$T/p.qt" word
expect_match 'as the script says' "$(cat "$out")" ':neg'
qt run --dump=program "$T/p.qt" word --limt 5
expect_code 2
expect_match 'misspelt' "$(cat "$err")" 'E0223.*--limt'
expect_match 'near' "$(cat "$err")" 'did you mean limit'
qt run --dump=program "$T/p.qt" word --limit soon
expect_code 2
expect_match 'no number' "$(cat "$err")" 'E0223.*soon'
qt run --dump=program "$T/p.qt" word --limit
expect_code 2
expect_match 'no value' "$(cat "$err")" 'E0702.*limit'
qt "$T/p.qt" --help
expect_code 0
expect_match 'listed' "$(cat "$out")" '--limit=VALUE +slower than this \(without it: 10ms\)'
expect_match 'without a text' "$(cat "$out")" '--fn=VALUE +\(without it: "neg"\)'
