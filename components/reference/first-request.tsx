"use client";
import { requestSnippet } from "@/components/snippets/request-snippets";
import { CodeBlock } from "@/components/ui/code-block";
import { useOrigin } from "@/lib/browser/use-origin";

/** Code of a request that needs no provider. */
export function FirstRequest() {
  const origin = useOrigin();
  const body = { model: "sandbox/echo", input: "Hello" };
  return (
    <CodeBlock label="First request" text={requestSnippet("curl", { origin, key: null, api: "responses", body })} />
  );
}
