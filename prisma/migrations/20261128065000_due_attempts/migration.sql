-- Every process looks every other second for attempts that are due.
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" ("webhook_id", "next_attempt_at", "id") WHERE "status" = 'pending';
CREATE INDEX "notifications_due_idx" ON "notifications" ("next_attempt_at") WHERE "status" = 'pending';
