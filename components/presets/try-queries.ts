import { call, requestOf, type Answer } from "@/lib/browser/api-client";
import { failureOf, noResponse } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { createResponse } from "@/lib/browser/operations/gateway";
import { checkPolicy } from "@/lib/browser/operations/policy-check";

export interface Attempt {
  /** `@preset/<slug>`, optionally pinned. */
  model: string;
  input: string;
}

/** Policy check of the request, without calling a model. */
export const useVerdict = (workspaceId: string) =>
  useApiMutation({
    mutationFn: (request: Attempt) =>
      call(checkPolicy, { body: { request: { ...request }, protocol: "responses", workspace_id: workspaceId } }),
  });

/** Sends the request with an inference key and without this browser's session, like an application. */
export const useSend = () =>
  useApiMutation({
    mutationFn: async ({ key, request }: { key: string; request: Attempt }): Promise<Answer<typeof createResponse>> => {
      const { url, init } = requestOf(createResponse, { body: { ...request } });
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${key}`);
      const response = await fetch(url, { ...init, headers, credentials: "omit" }).catch(() => {
        throw noResponse();
      });
      if (!response.ok) throw await failureOf(response);
      return (await response.json()) as Answer<typeof createResponse>;
    },
  });
