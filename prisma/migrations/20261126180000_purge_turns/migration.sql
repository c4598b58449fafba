-- A purge runs in turns of minutes, so that one whose process was killed blocks others only that long.
UPDATE signalbox_jobs.queue SET expire_seconds = 300 WHERE name = 'purge';
