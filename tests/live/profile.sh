# Sampling: a program that computes for 1 s on one CPU is seen about 97 times at 97 Hz.
. tests/live/lib.sh
qtc 'spin 1000' -e 'profile:hz:97 { @[comm] = count(); }'
expect_code 0
n=$(map @ | awk '$1 == "spin" { print $2 }')
expect_eq "samples (${n:-0})" "$((${n:-0} >= 20 && ${n:-0} <= 110))" 1
