#!/bin/sh
# Runs once, when the database is created: lets the standby replicate.
set -eu
echo "host replication signalbox samenet scram-sha-256" >> "$PGDATA/pg_hba.conf"
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --command="ALTER SYSTEM SET max_slot_wal_keep_size = '8GB'"
