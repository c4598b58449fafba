import { requestOf, type Answer, type CallInput } from "./api-client";
import { ApiFailure, failureOf } from "./api-failure";
import { createResponse } from "./operations/gateway";

/** How a request to a model ended; a refused one was recorded, too. */
export interface ModelCall {
  generationId: string | null;
  /** What the model said; null when it was not asked, or failed. */
  text: string | null;
  failure: ApiFailure | null;
}

/** Sends a request as a program with this key would: without the session of this browser. */
export async function callModel(keyText: string, body: CallInput<typeof createResponse>["body"]): Promise<ModelCall> {
  const { url, init } = requestOf(createResponse, { body });
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${keyText}`);
  const response = await fetch(url, { ...init, headers, credentials: "omit" }).catch(() => {
    throw new ApiFailure(0, navigator.onLine ? "The server can't be reached" : "This device is offline");
  });
  const generationId = response.headers.get("x-generation-id");
  if (!response.ok) return { generationId, text: null, failure: await failureOf(response) };
  const { output_text } = (await response.json()) as Answer<typeof createResponse>;
  return { generationId, text: output_text, failure: null };
}
