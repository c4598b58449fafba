import { z } from "zod";
import { operation } from "../../platform/http/operation";
import { KeyHash } from "../keys/contract";
import { ACCESS_TOKEN, SUBJECT_TOKEN_TYPES, TOKEN_EXCHANGE } from "./vocabulary";

/** Longest token; those of Kubernetes and of CI services have 1 to 3 KiB. */
const MAX_TOKEN = 12_000;

export const exchangeToken = operation({
  tag: "Workload identities",
  access: "public",
  id: "exchangeToken",
  method: "POST",
  path: "/oauth/token",
  summary: "Exchange a workload's token for an inference key of minutes (RFC 8693)",
  form: true,
  body: z.object({
    grant_type: z.literal(TOKEN_EXCHANGE),
    subject_token: z.string().min(1).max(MAX_TOKEN).meta({ description: "A JWT of the issuer" }),
    subject_token_type: z.enum(SUBJECT_TOKEN_TYPES),
    requested_token_type: z.literal(ACCESS_TOKEN).optional(),
    client_id: KeyHash.optional().meta({
      description: "The key's hash; needed only if identities of several keys accept the token",
    }),
  }),
  bodySize: "small",
  status: 200,
  result: z.object({
    access_token: z.string().meta({ description: "The key" }),
    issued_token_type: z.literal(ACCESS_TOKEN),
    token_type: z.literal("Bearer"),
    expires_in: z.number().int().meta({ description: "Seconds" }),
  }),
  errorFormat: "oauth",
  errors: [429],
  example: {
    body: {
      grant_type: TOKEN_EXCHANGE,
      subject_token: "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJyZXBvOmFjbWUvYXBwIn0.c2lnbmF0dXJl",
      subject_token_type: SUBJECT_TOKEN_TYPES[0],
    },
  },
});
