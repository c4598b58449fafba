import { z } from "zod";
import { requestFields } from "../engine/protocols/contracts/request-fields-contract";
import { ChatUsage } from "../engine/protocols/contracts/chat-result-contract";
import { operation } from "../platform/http/operation";
import { TEXT_FIELDS } from "./vocabulary";

const { model, models, preset, metadata, provider, session_id, user } = requestFields;

/** Maximum number of inputs of one request. */
const MAX_INPUTS = 2048;

const text = z.string().min(1);
const tokens = z.array(z.number().int().min(0)).min(1);

/** The body of `POST /embeddings`: docs/semantics.md#embeddings-requests. Unknown fields are ignored. */
export const EmbeddingsBody = z.object({
  model,
  models,
  preset,
  metadata,
  provider,
  session_id,
  user,
  input: z.union([text, z.array(text).min(1).max(MAX_INPUTS), tokens, z.array(tokens).min(1).max(MAX_INPUTS)]).meta({
    description: "A text or up to 2,048 texts; token numbers are decoded as cl100k_base",
  }),
  encoding_format: z.enum(["float", "base64"]).default("float"),
  dimensions: z.number().int().min(1).max(65_536).optional(),
  input_type: z
    .string()
    .regex(/^[a-z_]{1,32}$/)
    .optional()
    .meta({ description: "Purpose of the texts, for upstreams that distinguish them, such as query or passage" }),
});
export type EmbeddingsBody = z.output<typeof EmbeddingsBody>;

const Embedding = z.object({
  object: z.literal("embedding"),
  index: z.number().int().min(0),
  embedding: z
    .union([z.array(z.number()), z.string()])
    .meta({ description: "Numbers, or with encoding_format base64 their little-endian float32" }),
});

export const createEmbeddings = operation({
  tag: "Inference",
  access: "inference",
  method: "POST",
  status: 200,
  errors: [404, 502, 503, 524, 529],
  id: "createEmbeddings",
  path: "/embeddings",
  summary: "Create embeddings of texts",
  body: EmbeddingsBody,
  bodySize: "large",
  withNul: TEXT_FIELDS,
  result: z.object({
    object: z.literal("list"),
    id: z.string().meta({ description: "The generation's ID" }),
    model: z.string(),
    data: z.array(Embedding),
    usage: ChatUsage.pick({ prompt_tokens: true, total_tokens: true, cost: true, cost_details: true }),
    service_metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  example: { body: { model: "sandbox/echo", input: ["Hello", "world"] } },
});
