ALTER TABLE "generations" ADD COLUMN "sent_by_user_id" TEXT;
