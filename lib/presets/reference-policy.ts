import type { Issue } from "../http/api-error";
import { PresetSlug } from "./contract";

/** A preset that a request names; without a version its designated one. */
export interface PresetReference {
  slug: string;
  version: number | null;
}

/** What a request says of presets: the reference, and the model that remains when it is taken out of `model`. */
export interface Referenced {
  reference: PresetReference | null;
  model: string | undefined;
  issues: Issue[];
}

const IN_MODEL = "@preset/";
const VERSION = /^[1-9]\d{0,8}$/;

interface Naming {
  model?: string | undefined;
  models?: readonly string[] | undefined;
  preset?: string | null | undefined;
}

/**
 * The preset that a request references (contract.md section 6): `"model": "@preset/<slug>"`, `"model": "<model>@preset/<slug>"`
 * or `"preset": "<slug>"`, each pinned by `@<version>`.
 */
export function presetReference({ model, models = [], preset }: Naming): Referenced {
  const at = model?.indexOf(IN_MODEL) ?? -1;
  const given = [
    ...(model !== undefined && at >= 0 ? [parse("model", model.slice(at + IN_MODEL.length))] : []),
    ...(typeof preset === "string" ? [parse("preset", preset)] : []),
  ];
  const [reference = null, other] = given.flatMap((one) => ("slug" in one ? [one] : []));
  return {
    reference,
    model: at >= 0 ? model?.slice(0, at) || undefined : model,
    issues: [
      ...given.flatMap((one) => ("slug" in one ? [] : [one])),
      ...models.flatMap((name, index) => (name.includes(IN_MODEL) ? [{ path: ["models", index], message: "a preset is named in model or preset", code: "invalid_format" }] : [])),
      ...(reference && other && (reference.slug !== other.slug || reference.version !== other.version)
        ? [{ path: ["preset"], message: "names another preset than model does", code: "conflicting_fields" }]
        : []),
    ],
  };
}

function parse(field: "model" | "preset", text: string): PresetReference | Issue {
  const [slug = "", version, ...more] = text.split("@");
  const isFormed = PresetSlug.safeParse(slug).success && (version === undefined || VERSION.test(version)) && more.length === 0;
  return isFormed
    ? { slug, version: version === undefined ? null : Number(version) }
    : { path: [field], message: "must name a preset as <slug> or <slug>@<version>", code: "invalid_format" };
}
