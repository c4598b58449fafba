import type { CatalogueModel, CataloguePrice } from "../catalogue/catalogue";
import { ModelSlug } from "../models/contract";
import type { DataRegion } from "../../engine/vocabulary";
import type { FactSource } from "../models/vocabulary";
import { importedVendor, type VendorFact } from "../models/vendor";
import type { SkipReason } from "./import-contract";

/** A model as listed by an upstream. */
export interface ListedModel {
  id: string;
  contextLength: number | null;
  /** Null or missing where the upstream states none. */
  price?: CataloguePrice | null;
}

export interface PlannedModel {
  slug: string;
  upstreamModel: string;
  name: string;
  vendor: VendorFact;
  contextLength: number | null;
  /** Null when unknown. */
  price: CataloguePrice | null;
  priceSource: FactSource;
  dataRegion: DataRegion;
}

export interface ImportOptions {
  providerSlug: string;
  /** Upstream names of the models to import; null for all chat models. */
  models: readonly string[] | null;
  prefix: string | null;
  /** The vendor that owns the provider's API, or null. */
  ownVendor: string | null;
  /** True for providers on Bedrock, where name prefixes state the region of processing. */
  isBedrock?: boolean;
  /** True for a name that its vendor no longer serves. */
  isRetired: (id: string) => boolean;
  zdrVendors: readonly string[];
  /** Looks up a name in the catalogue. */
  lookUp: (id: string) => CatalogueModel | null;
}

export interface Skipped {
  upstream_model: string;
  reason: SkipReason;
  /** The existing model. */
  slug?: string;
  /** Another model of the same identity, which should be used instead. */
  duplicate_of?: string;
}

/** Name patterns of models that don't support chat but appear in upstream lists. */
const NOT_CHAT =
  /(?:^|[-_/])(?:embed|embedding|embeddings|moderation|whisper|tts|transcribe|realtime|dall-e|sora|rerank|ocr)(?:$|[-_\d:])|gpt-image/i;

/** Removes an upstream's prefix: `models/gemini-2.5-pro` becomes `gemini-2.5-pro`. */
export const plainName = (id: string): string => id.replace(/^(?:accounts\/[^/]+\/)?models\//, "");

/** Returns the slug for a model; null when its name contains no valid characters. */
export function slugOf(id: string, providerSlug: string, prefix: string | null): string | null {
  const name = plainName(id)
    .toLowerCase()
    .replace(/[^a-z0-9._:~+/-]+/g, "-")
    .replace(/^[-/]+|[-/]+$/g, "");
  const front = prefix ?? (name.includes("/") ? null : providerSlug);
  const slug = ModelSlug.safeParse(front === null ? name : `${front}/${name}`);
  return name !== "" && slug.success ? slug.data : null;
}

/** Returns the catalogue's price, otherwise the upstream's. */
function priceOf(
  catalogue: CataloguePrice | null | undefined,
  listed: CataloguePrice | null | undefined,
): Pick<PlannedModel, "price" | "priceSource"> {
  if (catalogue) return { price: catalogue, priceSource: "catalogue" };
  return listed ? { price: listed, priceSource: "upstream" } : { price: null, priceSource: "unknown" };
}

/** Prefix of an inference profile that stays within a geography. */
const PROFILE_REGION = /(?:^|[/:])(us|us-gov|eu)\.[a-z0-9]+\./;

/** Returns the region in which Bedrock processes requests for a name. */
function profileRegion(id: string): DataRegion {
  const [, region] = PROFILE_REGION.exec(id.toLowerCase()) ?? [];
  if (region === undefined) return "global";
  return region === "eu" ? "europe" : "us";
}

/** Plans an import: models to add, with unique slugs, and skipped ones with reasons. */
export function planImport(
  listed: readonly ListedModel[],
  { providerSlug, models, prefix, ownVendor, isBedrock = false, isRetired, zdrVendors, lookUp }: ImportOptions,
): { planned: PlannedModel[]; skipped: Skipped[] } {
  const byId = new Map(listed.map((model) => [model.id, model]));
  const planned = new Map<string, PlannedModel>();
  const skipped: Skipped[] = [];
  const lookUpAny = (id: string, plain: string) => lookUp(id) ?? (plain === id ? null : lookUp(plain));
  for (const id of new Set(models ?? byId.keys())) {
    const model = byId.get(id);
    const known = model ? lookUpAny(id, plainName(id)) : null;
    const slug = slugOf(id, providerSlug, prefix);
    const reason = reasonToSkip();
    if (reason) skipped.push({ upstream_model: id, reason, ...(reason === "exists" && slug !== null && { slug }) });
    else if (model && slug !== null) {
      const contextLength = model.contextLength ?? known?.contextLength ?? null;
      planned.set(slug, {
        slug,
        upstreamModel: id,
        name: known?.name ?? slug,
        vendor: importedVendor(
          { slug, endpoints: [{ provider: providerSlug, upstreamModel: id }] },
          ownVendor,
          zdrVendors,
        ),
        contextLength,
        ...priceOf(known?.price, model.price),
        dataRegion: isBedrock ? profileRegion(id) : "global",
      });
    }
    function reasonToSkip(): SkipReason | null {
      if (!model) return "not_listed";
      if (models === null && (NOT_CHAT.test(id) || known?.isChat === false)) return "not_chat";
      if (models === null && isRetired(id)) return "retired";
      if (slug === null) return "no_slug";
      return planned.has(slug) ? "exists" : null;
    }
  }
  return { planned: [...planned.values()], skipped };
}
