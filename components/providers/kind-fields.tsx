"use client";
import type { Control, FieldPath } from "react-hook-form";
import { SecretField } from "@/components/form/secret-field";
import { TextField } from "@/components/form/text-field";
import type { Provider } from "@/lib/records/providers/contract";
import type { ProviderKind } from "@/lib/records/providers/vocabulary";
import type { ProviderValues } from "./provider-values";

export const KIND_LABELS = {
  openai: "OpenAI-compatible",
  anthropic: "Anthropic",
  azure: "Azure OpenAI",
  gemini: "Google Gemini",
  vertex: "Google Vertex AI",
  bedrock: "Amazon Bedrock",
} as const satisfies Record<ProviderKind, string>;

/** Example base URL of each kind. */
export const BASE_URLS = {
  openai: "https://api.example.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  azure: "https://acme.openai.azure.com",
  gemini: "https://generativelanguage.googleapis.com/v1beta",
  vertex: "https://europe-west4-aiplatform.googleapis.com/v1",
  bedrock: "https://bedrock-runtime.eu-west-1.amazonaws.com",
} as const satisfies Record<ProviderKind, string>;

interface KindFieldsProps {
  control: Control<ProviderValues>;
  kind: ProviderKind;
  /** The stored provider; omitted for a new one. */
  stored: Provider | undefined;
}

interface Entry {
  name: FieldPath<ProviderValues>;
  label: string;
  hint?: string;
  placeholder?: string;
}

const SETTINGS: Readonly<Partial<Record<ProviderKind, readonly Entry[]>>> = {
  azure: [
    {
      name: "settings.api_version",
      label: "API version",
      hint: "Leave blank to use the v1 API.",
      placeholder: "2024-10-21",
    },
  ],
  vertex: [
    { name: "settings.project", label: "Project ID", placeholder: "acme-prod" },
    { name: "settings.location", label: "Location", placeholder: "europe-west4" },
  ],
  bedrock: [{ name: "settings.region", label: "Region", placeholder: "eu-west-1" }],
};

const CREDENTIALS: Readonly<Partial<Record<ProviderKind, readonly Entry[]>>> = {
  vertex: [{ name: "credentials.service_account", label: "Service account key", hint: "The JSON of the key file." }],
  bedrock: [
    { name: "credentials.access_key_id", label: "Access key ID" },
    { name: "credentials.secret_access_key", label: "Secret access key" },
    { name: "credentials.session_token", label: "Session token", hint: "Only for temporary credentials." },
  ],
};

/** Settings and secrets that depend on a provider's kind. */
export function KindFields({ control, kind, stored }: KindFieldsProps) {
  const isStored = stored?.kind === kind && stored.credential_names.length > 0;
  const kept = isStored ? "Stored. Leave all blank to keep them." : undefined;
  return (
    <>
      {SETTINGS[kind]?.map(({ name, label, hint, placeholder }) => (
        <TextField
          key={name}
          control={control}
          name={name}
          label={label}
          hint={hint}
          isOptional
          input={{ autoComplete: "off", placeholder }}
        />
      ))}
      {CREDENTIALS[kind]?.map(({ name, label, hint }) => (
        <TextField
          key={name}
          control={control}
          name={name}
          label={label}
          hint={kept ?? hint ?? "Encrypted at rest and not shown again."}
          isOptional
          input={{ type: "password", autoComplete: "off", spellCheck: false }}
        />
      ))}
      {kind !== "vertex" && (
        <SecretField
          control={control}
          name="api_key"
          label={kind === "bedrock" ? "Bedrock API key" : "API key"}
          hint={kind === "bedrock" ? "Instead of an access key." : "Encrypted at rest and not shown again."}
          isStored={stored?.has_api_key ?? false}
        />
      )}
    </>
  );
}

/** Returns the body without blank credentials. */
export function withoutBlankCredentials<Body extends { credentials?: object | null | undefined }>(body: Body): Body {
  const { credentials, ...rest } = body;
  const isBlank = !credentials || Object.values(credentials).every((value) => value === undefined);
  return isBlank ? (rest as Body) : body;
}
