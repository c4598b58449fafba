import { createPresetFromResponses, listPresetVersions, updatePreset } from "../records/presets/contract";
import type { Api } from "./api";
import { PRESETS } from "./presets";

/** Creates missing preset versions and returns their number. */
export async function fillPresets(api: Api): Promise<number> {
  let posted = 0;
  for (const { slug, description, versions } of PRESETS) {
    const params = { slug };
    const history = await api.send(listPresetVersions, { params, query: { limit: "1" } });
    const existing = history.ok ? listPresetVersions.result.parse(await history.json()).total_count : 0;
    for (const body of versions.slice(existing)) {
      await api.call(createPresetFromResponses, { params, body });
      posted++;
    }
    if (existing === 0) await api.call(updatePreset, { params, body: { description } });
  }
  return posted;
}
