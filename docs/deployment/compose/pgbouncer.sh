#!/bin/sh
# Writes the configuration, which contains the password, and starts the pooler.
set -eu
cd /tmp
printf '"signalbox" "%s"\n' "$POSTGRES_PASSWORD" > users.txt
cat > pgbouncer.ini <<CONFIGURATION
[databases]
signalbox = host=primary port=5432 dbname=signalbox

[pgbouncer]
listen_addr = 0.0.0.0
listen_port = 6432
auth_type = scram-sha-256
auth_file = /tmp/users.txt
; Each server keeps its sessions: prepared statements, locks and notifications belong to them.
pool_mode = session
default_pool_size = 60
max_client_conn = 200
CONFIGURATION
chmod 600 users.txt pgbouncer.ini
exec pgbouncer pgbouncer.ini
