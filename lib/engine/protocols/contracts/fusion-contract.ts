import { z } from "zod";

/** Bounds of the fusion panel (docs/semantics.md#plugins), shared by the plugin and the server tool. */
export const fusionFields = {
  analysis_models: z
    .array(z.string())
    .min(1)
    .max(8)
    .optional()
    .meta({ description: "Model slugs queried in parallel as a panel" }),
  model: z.string().optional().meta({ description: "Model for the analysis and the final synthesis" }),
  max_tool_calls: z.number().int().min(1).max(16).optional().meta({ default: 4 }),
  tools: z
    .array(z.looseObject({ type: z.string(), parameters: z.record(z.string(), z.unknown()).optional() }))
    .max(8)
    .optional()
    .meta({ description: "Defaults to web search and web fetch; an empty array disables tools" }),
};
