import "server-only";
import { cookies, headers } from "next/headers";
import { requestOf, type Answer, type CallInput } from "../browser/api-client";
import { failureOf } from "../browser/api-failure";
import type { Callable } from "../platform/http/operation";

/** What the server that runs this process offers to its pages (serve.mjs). */
interface LocalApi {
  origin: string;
  call: (request: Request) => Promise<Response>;
}

/** Calls an operation as the person whose page is being made, without the network in between. */
export async function localCall<O extends Callable>(operation: O, input: CallInput<O>): Promise<Answer<O>> {
  const { __signalboxApi: api } = globalThis as unknown as { __signalboxApi: LocalApi };
  const { url, init } = requestOf(operation, input);
  const request = new Request(new URL(url, api.origin), init);
  request.headers.set("cookie", (await cookies()).toString());
  request.headers.set("x-signalbox-client-address", (await headers()).get("x-signalbox-client-address") ?? "");
  const response = await api.call(request);
  if (!response.ok) throw await failureOf(response);
  return (await response.json()) as Answer<O>;
}
