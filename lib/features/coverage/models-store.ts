import "server-only";
import type { Context } from "../../platform/context";
import { zdrFieldOf } from "../../engine/policy/routing";
import { toGuardrail } from "../../records/guardrails/rows";
import { Prisma } from "../../../prisma/generated/client";
import { duplicatesOf } from "../../records/providers/import-placement";
import type { Coverage } from "./contract";
import { mergeEffect } from "./merge-effect";

const MOST_LISTED = 100;

type ModelGaps = Pick<Coverage, "unknown_vendors" | "corrected_vendors" | "duplicate_models">;

/** Finds models with an unknown vendor, models with a corrected vendor and the affected guardrails, and duplicates. */
export async function modelGaps(context: Context, workspaceId: string | null): Promise<ModelGaps> {
  const { caller, db, settings } = context;
  const { zdrVendors } = settings;
  const { organizationId } = caller;
  const unknown = { organizationId, OR: [{ vendorSource: null }, { vendorSource: "unknown" as const }] };
  const corrected = { organizationId, previousVendor: { not: null } };
  const first = { orderBy: [{ createdAt: "desc" as const }, { id: "desc" as const }], take: MOST_LISTED };
  const [unknownCount, unknowns, correctedCount, corrections, known] = await Promise.all([
    db.model.count({ where: unknown }),
    db.model.findMany({ where: unknown, select: { slug: true, name: true }, ...first }),
    db.model.count({ where: corrected }),
    db.model.findMany({
      where: corrected,
      select: { slug: true, name: true, vendor: true, previousVendor: true },
      ...first,
    }),
    db.model.findMany({
      where: { organizationId, vendorSource: { in: ["catalogue", "upstream", "admin"] } },
      select: {
        slug: true,
        name: true,
        canonicalSlug: true,
        vendor: true,
        endpoints: { select: { providerId: true, upstreamModel: true, provider: { select: { slug: true } } } },
      },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    }),
  ]);
  const duplicates = duplicatesOf(known);
  const guardrails =
    corrections.length === 0
      ? []
      : await db.guardrail.findMany({
          where: { workspace: { organizationId }, deletedAt: null, ...(workspaceId && { workspaceId }) },
          orderBy: { id: "asc" },
        });
  const enforcing = guardrails.map((row) => toGuardrail(row, zdrVendors));
  return {
    duplicate_models: {
      total_count: duplicates.length,
      data: await withEffects(context, duplicates.slice(0, MOST_LISTED)),
    },
    unknown_vendors: { total_count: unknownCount, data: unknowns },
    corrected_vendors: {
      total_count: correctedCount,
      data: corrections.map(({ slug, name, vendor, previousVendor }) => {
        const previous = previousVendor ?? vendor;
        const [now, before] = [zdrFieldOf(vendor, zdrVendors), zdrFieldOf(previous, zdrVendors)];
        return {
          slug,
          name,
          vendor,
          previous_vendor: previous,
          guardrails: enforcing
            .filter((guardrail) => guardrail[now] === true && guardrail[before] !== true)
            .slice(0, MOST_LISTED)
            .map((guardrail) => ({ guardrail_id: guardrail.id, name: guardrail.name })),
        };
      }),
    },
  };
}

interface Duplicate {
  model: {
    slug: string;
    name: string;
    canonicalSlug: string;
    vendor: string;
    endpoints: { provider: { slug: string } }[];
  };
  of: { canonicalSlug: string };
}

/**
 * Adds the effect of merging each duplicate: the providers of the other model, and the guardrails whose decisions
 * change.
 */
async function withEffects(
  { db, caller: { organizationId } }: Context,
  duplicates: readonly Duplicate[],
): Promise<Coverage["duplicate_models"]["data"]> {
  if (duplicates.length === 0) return [];
  const isSet = { not: Prisma.DbNull };
  const guardrails = await db.guardrail.findMany({
    where: {
      workspace: { organizationId },
      deletedAt: null,
      OR: [{ allowedModels: isSet }, { ignoredModels: isSet }],
    },
    select: { id: true, name: true, allowedModels: true, ignoredModels: true },
    orderBy: { id: "asc" },
  });
  const lists = guardrails.map(({ id, name, allowedModels, ignoredModels }) => ({
    guardrail_id: id,
    name,
    allowed: allowedModels as string[] | null,
    ignored: ignoredModels as string[] | null,
  }));
  return duplicates.map(({ model: { slug, name, canonicalSlug, vendor, endpoints }, of }) => {
    const providers = [...new Set(endpoints.map(({ provider }) => provider.slug))];
    const affected = lists.flatMap(({ guardrail_id, name: guardrail, ...own }) => {
      const effect = mergeEffect(own, { slug, canonicalSlug, vendor, providers }, of.canonicalSlug);
      return effect === null ? [] : [{ guardrail_id, name: guardrail, effect }];
    });
    return {
      slug,
      name,
      canonical_slug: canonicalSlug,
      duplicate_of: of.canonicalSlug,
      providers,
      guardrails: affected.slice(0, MOST_LISTED),
    };
  });
}
