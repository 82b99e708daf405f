"$QTRACE" check --unsafe -e 'uprobe:libc:puts { signal("TREM"); signal("NOSUCHSIGNAL"); signal(0); signal_thread(65); }'
