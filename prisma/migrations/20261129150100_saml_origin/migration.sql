ALTER TABLE "sign_in_connections" ADD COLUMN "origin" TEXT;
