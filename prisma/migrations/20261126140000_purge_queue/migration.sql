-- Retention: at most one job is queued, and one is active. A job of a process that was killed blocks others until it expires.
SELECT signalbox_jobs.create_queue('purge', '{"policy": "stately", "retryLimit": 0, "expireInSeconds": 3600}');
