import "server-only";
import { cookies, headers } from "next/headers";
import { requestOf, type Answer, type CallInput } from "../browser/api-client";
import { failureOf } from "../browser/api-failure";
import type { Callable } from "../platform/http/operation";

/** The interface that serve.mjs provides to its pages. */
interface LocalApi {
  origin: string;
  call: (request: Request) => Promise<Response>;
}

/** Calls an operation as the person a page is rendered for, without a network request. */
export async function localCall<O extends Callable>(operation: O, input: CallInput<O>): Promise<Answer<O>> {
  const { __signalboxApi: api } = globalThis as unknown as { __signalboxApi: LocalApi };
  const { url, init } = requestOf(operation, input);
  const request = new Request(new URL(url, api.origin), init);
  request.headers.set("cookie", (await cookies()).toString());
  const sent = await headers();
  for (const name of ["x-signalbox-client-address", "x-forwarded-proto"]) {
    const value = sent.get(name);
    if (value !== null) request.headers.set(name, value);
  }
  const response = await api.call(request);
  if (!response.ok) throw await failureOf(response);
  return (await response.json()) as Answer<O>;
}
