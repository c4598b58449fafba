-- One row for each job that one process at a time runs at an interval, in place of the tables of a queue.
DROP SCHEMA IF EXISTS signalbox_jobs CASCADE;

CREATE TABLE "recurring_jobs" (
    "name" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "recurring_jobs_pkey" PRIMARY KEY ("name")
);

INSERT INTO "recurring_jobs" ("name", "due_at")
VALUES ('watch', now()), ('purge', now() + interval '1 minute'), ('content-sweep', now() + interval '1 day');
