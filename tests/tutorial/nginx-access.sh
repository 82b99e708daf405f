# A real nginx, asked for 23 pages.
. tests/live/lib.sh
nginx=$top/build/deb/nginx/usr/sbin/nginx
[ -x "$nginx" ] || skip 'build/deb has no nginx (make tutorial)'
sed "s|/usr/sbin/nginx|$nginx|" tests/tutorial/nginx-access.qt >"$T/access.qt"
qt check "$T/access.qt"
expect_code 0
[ "$(id -u)" -eq 0 ] || skip 'checked, not run: needs root'
port=$((20000 + $$ % 20000))
mkdir "$T/www" && echo hello >"$T/www/index.html" && chmod -R a+rX "$T"
cat >"$T/conf" <<END
daemon off; master_process off; user root; pid $T/pid; error_log $T/log;
events { }
http { access_log off; client_body_temp_path $T/b; proxy_temp_path $T/p; fastcgi_temp_path $T/f; uwsgi_temp_path $T/u; scgi_temp_path $T/s;
server { listen 127.0.0.1:$port; root $T/www; } }
END
"$nginx" -c "$T/conf" 2>"$T/nginx.err" &
server=$!
get_page() { exec 9<>/dev/tcp/127.0.0.1/$port && printf 'GET / HTTP/1.0\r\n\r\n' >&9 && cat <&9; } 2>/dev/null
for _ in $(seq 50); do (get_page) | grep -q hello && break; sleep 0.1; done
"$QTRACE" -f json -o "$out" -p $server "$T/access.qt" 2>"$err" &
tracer=$!
for _ in $(seq 50); do grep -q attached "$out" 2>/dev/null && break; sleep 0.1; done
sleep 0.2
for _ in $(seq 23); do (get_page) | grep -q hello || complain "no page: $(cat "$T/nginx.err")"; done
kill -INT $tracer && wait $tracer
expect_eq 'exit code' $? 0
kill $server
# The function runs once for each handler of its phase (six in Debian's build), so a whole number of times a request.
n=$(map @calls | cut -f2)
expect_eq "calls ($n) of 23 requests" "$((n > 0 && n % 23 == 0))" 1
