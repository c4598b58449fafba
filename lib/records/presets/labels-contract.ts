import { z } from "zod";
import { envelope, operation, Uuid } from "../../platform/http/operation";
import { PresetLabel, PresetSlug, PresetWithVersion } from "./contract";

const labelled = {
  tag: "Presets",
  access: "management",
  path: "/presets/{slug}/labels/{label}",
  query: z.object({ workspace_id: Uuid.optional() }),
  status: 200,
  result: envelope(PresetWithVersion),
  etag: true,
  ifMatch: true,
} as const;

export const setPresetLabel = operation({
  ...labelled,
  id: "setPresetLabel",
  permission: "presets:write",
  byWorkspace: true,
  method: "PUT",
  summary: "Set a label of a preset to a version; requests to `@preset/slug:label` use it immediately",
  params: z.object({ slug: PresetSlug, label: PresetLabel }),
  invalidParams: 400,
  body: z.strictObject({ version: z.number().int().min(1) }),
  errors: [404],
  example: { body: { version: 1 } },
});

export const deletePresetLabel = operation({
  ...labelled,
  id: "deletePresetLabel",
  permission: "presets:write",
  byWorkspace: true,
  method: "DELETE",
  summary: "Delete a label of a preset; requests to it then return 404",
  params: z.object({ slug: PresetSlug, label: PresetLabel }),
});
