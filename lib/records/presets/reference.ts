import type { Issue } from "../../platform/api-error";
import { PresetLabel, PresetSlug } from "./contract";

/** A reference to a preset: to a version, a label, or the designated version. */
export interface PresetReference {
  slug: string;
  version: number | null;
  label: string | null;
}

/** The result of parsing references: the preset, and the remaining `model`. */
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
 * Parses a request's preset reference (docs/semantics.md#preset-references): `"model": "@preset/<slug>"`, `"model":
 * "<model>@preset/<slug>"` or `"preset": "<slug>"`, each optionally followed by `@<version>` or `:<label>`.
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
      ...models.flatMap((name, index) =>
        name.includes(IN_MODEL)
          ? [
              {
                path: ["models", index],
                message: "can't contain a preset: use model or preset",
                code: "invalid_format",
              },
            ]
          : [],
      ),
      ...(reference &&
      other &&
      (reference.slug !== other.slug || reference.version !== other.version || reference.label !== other.label)
        ? [{ path: ["preset"], message: "references another preset than model", code: "conflicting_fields" }]
        : []),
    ],
  };
}

function parse(field: "model" | "preset", text: string): PresetReference | Issue {
  const [, slug = "", mark, target = ""] = /^([^@:]*)(?:([@:])(.*))?$/s.exec(text) ?? [];
  const isFormed =
    PresetSlug.safeParse(slug).success &&
    (mark === undefined || (mark === "@" ? VERSION.test(target) : PresetLabel.safeParse(target).success));
  return isFormed
    ? { slug, version: mark === "@" ? Number(target) : null, label: mark === ":" ? target : null }
    : {
        path: [field],
        message: "must reference a preset as <slug>, <slug>@<version> or <slug>:<label>",
        code: "invalid_format",
      };
}
