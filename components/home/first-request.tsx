"use client";
import { requestSnippet } from "@/components/snippets/request-snippets";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { TextLink } from "@/components/ui/text-link";
import { useOrigin } from "@/lib/browser/use-origin";

/** Guide for a member without requests, using the built-in sandbox that needs no provider key. */
export function FirstRequest() {
  const origin = useOrigin();
  const request = requestSnippet("curl", {
    origin,
    key: null,
    api: "responses",
    body: { model: "sandbox/echo", input: "Hello, Signalbox" },
  });
  return (
    <Card
      id="first-request"
      title="Send a request"
      description="The built-in sandbox needs no provider key. Every request is logged as a generation."
      className="grid gap-3"
    >
      <ol className="grid list-decimal gap-3 pl-5 marker:text-muted">
        <li>
          Ask an admin for an inference key and export it as{" "}
          <code className="font-mono text-[13px]">SIGNALBOX_API_KEY</code>.
        </li>
        <li>
          <div className="grid gap-2">
            Send the request:
            <CodeBlock label="Request" text={request} wraps />
          </div>
        </li>
        <li>
          Inspect the request and response under <TextLink href="/generations">Generations</TextLink>.
        </li>
      </ol>
    </Card>
  );
}
