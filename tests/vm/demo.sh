# The demonstration on the machine's own disk.
DEMO_DB=/disk/shop.db exec bash tests/demo/sqlite.sh
