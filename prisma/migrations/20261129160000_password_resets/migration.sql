ALTER TABLE "members" ADD COLUMN "password_reset_at" TIMESTAMPTZ(3);
