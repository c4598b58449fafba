-- The same rule for generations.id. `text || bigint` is a function in SQL, which PostgreSQL parsed and planned anew in each statement that records
-- generations. Not validated: the older rows satisfied the replaced constraint, and reading them would block the log.
ALTER TABLE "generations"
  DROP CONSTRAINT "generations_id_carries_second",
  ADD CONSTRAINT "generations_id_carries_second"
    CHECK (starts_with("id", 'gen-' || floor(extract(epoch FROM "created_at"))::text || '-')) NOT VALID;
