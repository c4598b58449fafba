import { z } from "zod";

export const WEB_SEARCH_ENGINES = ["native", "exa", "firecrawl", "parallel", "perplexity"] as const;

export const WebSearchMode = z.enum([
  "instant",
  "fast",
  "auto",
  "deep-lite",
  "deep",
  "deep-reasoning",
  "turbo",
  "basic",
  "advanced",
]);

const place = z.string().nullish();
export const approximateLocation = { city: place, country: place, region: place, timezone: place };

/** Limits on pages fetched per request, shared by the `web-fetch` plugin and the web fetch tool. */
export const webFetchFields = {
  allowed_domains: z.array(z.string()).optional(),
  blocked_domains: z.array(z.string()).optional(),
  max_content_tokens: z.number().int().optional().meta({ description: "Longer content is truncated" }),
  max_uses: z.number().int().optional().meta({ description: "Further fetches return an error" }),
};
