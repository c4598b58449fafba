import { z } from "zod";
import { jsonIn } from "../../../platform/json-values";

/** The parts of a service account's key file that obtain access tokens. */
const ServiceAccount = z.looseObject({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  token_uri: z.url().default("https://oauth2.googleapis.com/token"),
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

/** Reads a key file; null when the text isn't one. */
export const readServiceAccount = (text: string): ServiceAccount | null =>
  ServiceAccount.safeParse(jsonIn(text)).data ?? null;
