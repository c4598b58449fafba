import { z } from "zod";
import type { ProviderKind } from "./vocabulary";

const ApiVersion = z
  .string()
  .regex(/^(?:\d{4}-\d{2}-\d{2}(?:-preview)?|preview|latest)$/, "must be a date, with -preview if it is one")
  .meta({ description: "azure: API version; without one the v1 API is used, whose models are deployments" });
const Place = (description: string) =>
  z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must consist of lowercase letters and digits, separated by hyphens")
    .meta({ description });
const Project = z
  .string()
  .max(100)
  .regex(/^[a-z0-9](?:[a-z0-9.:-]*[a-z0-9])?$/, "must be a project ID")
  .meta({ description: "vertex: ID of the Google Cloud project" });

/** Settings by which kinds of providers differ, besides a base URL. */
export const ProviderSettings = z.strictObject({
  api_version: ApiVersion.optional(),
  region: Place("bedrock: AWS region that requests are signed for").optional(),
  project: Project.optional(),
  location: Place("vertex: location of the endpoint, such as global or europe-west4").optional(),
});
export type ProviderSettings = z.output<typeof ProviderSettings>;

const SecretText = z
  .string()
  .min(1)
  .max(4000)
  .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters");

const ServiceAccount = z
  .string()
  .max(16_000)
  .refine(isServiceAccount, "must be the JSON of a service account key, with client_email and private_key")
  .meta({ description: "vertex: JSON of a service account key" });

function isServiceAccount(text: string): boolean {
  try {
    const key = JSON.parse(text) as Record<string, unknown> | null;
    return typeof key?.["client_email"] === "string" && typeof key["private_key"] === "string";
  } catch {
    return false;
  }
}

/** Secrets by name, for kinds that need more than an API key. */
export const ProviderCredentials = z.strictObject({
  access_key_id: SecretText.optional().meta({ description: "bedrock" }),
  secret_access_key: SecretText.optional().meta({ description: "bedrock" }),
  session_token: SecretText.optional().meta({ description: "bedrock: only for temporary credentials" }),
  service_account: ServiceAccount.optional(),
});
export type ProviderCredentials = z.output<typeof ProviderCredentials>;

interface Parts {
  settings: z.ZodType<ProviderSettings>;
  credentials: z.ZodType<ProviderCredentials>;
}

const none = z.strictObject({});
const settings = ProviderSettings.shape;
const credentials = ProviderCredentials.shape;

/** Settings and credentials of each kind. */
export const PARTS_OF: Readonly<Record<ProviderKind, Parts>> = {
  openai: { settings: none, credentials: none },
  anthropic: { settings: none, credentials: none },
  azure: { settings: z.strictObject({ api_version: settings.api_version }), credentials: none },
  gemini: { settings: none, credentials: none },
  vertex: {
    settings: z.strictObject({ project: settings.project.unwrap(), location: settings.location.unwrap() }),
    credentials: z.strictObject({ service_account: credentials.service_account.unwrap() }),
  },
  bedrock: {
    settings: z.strictObject({ region: settings.region.unwrap() }),
    credentials: z.strictObject({
      access_key_id: credentials.access_key_id.unwrap(),
      secret_access_key: credentials.secret_access_key.unwrap(),
      session_token: credentials.session_token,
    }),
  },
};
