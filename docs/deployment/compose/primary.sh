#!/bin/sh
# Runs once, when the database is created: lets the standby replicate, and keeps files of the log for use again.
set -eu
echo "host replication signalbox samenet scram-sha-256" >> "$PGDATA/pg_hba.conf"
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --command="ALTER SYSTEM SET max_slot_wal_keep_size = '8GB'"
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --command="ALTER SYSTEM SET min_wal_size = '1GB'"
