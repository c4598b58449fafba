-- Costs of earlier generations count as known: nothing tells which of them had a price.
ALTER TABLE "generations" ADD COLUMN "cost_known" BOOLEAN NOT NULL DEFAULT true;
