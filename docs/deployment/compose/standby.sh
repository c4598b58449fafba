#!/bin/sh
# Copies the primary at the first start, and follows it from then on. As in the image, the server runs as postgres.
set -eu
data=/var/lib/postgresql/data/standby
if [ ! -s "$data/PG_VERSION" ]; then
  rm -rf "$data"
  mkdir -p "$data"
  # A slot of an earlier attempt keeps WAL for nobody.
  psql --host=primary --username=signalbox --dbname=signalbox \
    --command="SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = 'standby'"
  pg_basebackup --dbname="host=primary user=signalbox application_name=standby" \
    --pgdata="$data" --write-recovery-conf --checkpoint=fast --wal-method=stream --create-slot --slot=standby
fi
chown -R postgres "$data"
chmod 700 "$data"
exec gosu postgres postgres -D "$data" -c hot_standby_feedback=on
