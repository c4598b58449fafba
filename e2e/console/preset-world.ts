import type { z } from "zod";
import type { ResponsesBody } from "../../lib/engine/protocols/contracts/responses-request-contract";
import { createPresetFromResponses } from "../../lib/records/presets/contract";
import type { Api } from "../api-client";
import { unique } from "../world";

type Body = z.input<typeof ResponsesBody>;

const VERSIONS: readonly Body[] = [
  { model: "sandbox/echo", temperature: 0.2, instructions: "Be brief." },
  { model: "sandbox/reasoner", temperature: 0.9, instructions: "Take your time." },
];

/** Creates a preset with these versions; the last is live. Returns its slug. */
export async function createPreset(api: Api, versions: readonly Body[] = VERSIONS): Promise<string> {
  const params = { slug: unique("support-bot") };
  for (const [index, body] of versions.entries()) {
    await api.call(createPresetFromResponses, { params, query: { message: `Change ${index + 1}` }, body });
  }
  return params.slug;
}
