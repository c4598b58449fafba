import "server-only";
import { recordChange, recordOwnChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import { canonicalVendor } from "../../engine/vendors";
import { makerOfApi } from "../catalogue/catalogue";
import type { dismissVendorCorrections } from "./lookup-contract";
import { importedVendor, vendorOf, type VendorFact } from "./vendor";

interface Undetermined {
  slug: string;
  vendor: string;
  endpoints: readonly { upstreamModel: string; provider: { slug: string; baseUrl: string | null } }[];
}

/** Returns the vendor if an admin has set it, or null for the default: the first part of the slug. */
const setByAdmin = ({ slug, vendor }: Undetermined): VendorFact | null =>
  vendor === (slug.split("/", 1)[0] ?? slug).toLowerCase() ? null : { vendor, source: "admin" };

function determined(model: Undetermined, zdrVendors: readonly string[]): VendorFact {
  const stated = setByAdmin(model);
  if (stated) return stated;
  const owners = new Set(model.endpoints.map(({ provider: { baseUrl } }) => baseUrl && makerOfApi(baseUrl)));
  const [owner = null] = owners.size === 1 ? owners : [];
  const named = {
    slug: model.slug,
    endpoints: model.endpoints.map(({ upstreamModel, provider }) => ({ provider: provider.slug, upstreamModel })),
  };
  const imported = importedVendor(named, owner, zdrVendors);
  return imported.source === "unknown" ? vendorOf(named, zdrVendors) : imported;
}

/**
 * Determines the vendors of models that were stored before vendors had a source. Their vendor was the first part of the
 * slug, which is often the provider. A model whose vendor changes keeps the old one as `previousVendor`, for a notice.
 */
export async function correctVendors(client: Database, zdrVendors: readonly string[], now: Date): Promise<void> {
  const rows = await client.model.findMany({
    where: { vendorSource: null },
    select: {
      id: true,
      organizationId: true,
      slug: true,
      vendor: true,
      endpoints: { select: { upstreamModel: true, provider: { select: { slug: true, baseUrl: true } } } },
    },
  });
  for (const organizationId of new Set(rows.map((row) => row.organizationId))) {
    const models = rows.filter((row) => row.organizationId === organizationId);
    const facts = models.map((model) => ({ model, ...determined(model, zdrVendors) }));
    const isNew = ({ model, vendor }: (typeof facts)[number]) =>
      canonicalVendor(vendor) !== canonicalVendor(model.vendor);
    const changed = facts.filter(isNew);
    await inTransaction(client, async (db) => {
      await db.$executeRaw`
        UPDATE models SET vendor = fact.vendor, vendor_source = fact.source::fact_source, previous_vendor = fact.previous
        FROM unnest(
          ${facts.map(({ model }) => model.id)}::uuid[],
          ${facts.map((fact) => (isNew(fact) ? fact.vendor : fact.model.vendor))}::text[],
          ${facts.map(({ source }) => source)}::text[],
          ${facts.map((fact) => (isNew(fact) ? fact.model.vendor : null))}::text[]
        ) AS fact(id, vendor, source, previous)
        WHERE models.id = fact.id AND models.vendor_source IS NULL`;
      if (changed.length === 0) return;
      const named = (of: (fact: (typeof facts)[number]) => string) =>
        Object.fromEntries(changed.map((fact) => [fact.model.slug, of(fact)]));
      await recordOwnChange(
        db,
        { organizationId, jobId: uuidv7(now), now },
        {
          action: "model.correct_vendors",
          target: { type: "organization", id: organizationId },
          before: { vendors: named(({ model }) => model.vendor) },
          after: { vendors: named(({ vendor }) => vendor) },
        },
      );
    });
  }
}

/** Dismisses the notice about corrected vendors. */
export async function dismiss(context: Context): Promise<Result<typeof dismissVendorCorrections>> {
  const { organizationId } = context.caller;
  await inTransaction(context.db, async (db) => {
    await db.model.updateMany({
      where: { organizationId, previousVendor: { not: null } },
      data: { previousVendor: null },
    });
    await recordChange(db, context, {
      action: "model.dismiss_vendor_corrections",
      target: { type: "organization", id: organizationId },
    });
  });
  return { deleted: true };
}
