import { requestOf, type Answer, type CallInput } from "./api-client";
import { failureOf, noResponse, type ApiFailure } from "./api-failure";
import { createResponse } from "./operations/gateway";

/** The result of a model call. Rejected calls are recorded, too. */
export interface ModelCall {
  generationId: string | null;
  /** The model's answer; null when it wasn't called, or failed. */
  text: string | null;
  failure: ApiFailure | null;
}

/** Sends a request as a program with this key would: without the browser's session. */
export async function callModel(keyText: string, body: CallInput<typeof createResponse>["body"]): Promise<ModelCall> {
  const { url, init } = requestOf(createResponse, { body });
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${keyText}`);
  const response = await fetch(url, { ...init, headers, credentials: "omit" }).catch(() => {
    throw noResponse();
  });
  const generationId = response.headers.get("x-generation-id");
  if (!response.ok) return { generationId, text: null, failure: await failureOf(response) };
  const { output_text } = (await response.json()) as Answer<typeof createResponse>;
  return { generationId, text: output_text, failure: null };
}
