"use client";
import { useSyncExternalStore } from "react";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { TextLink } from "@/components/ui/text-link";

const request = (origin: string) =>
  [
    `curl ${origin}/v1/responses \\`,
    `  -H "Authorization: Bearer $SIGNALBOX_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify({ model: "sandbox/echo", input: "Hello, Signalbox" })}'`,
  ].join("\n");

/** The page's origin never changes, so there is nothing to subscribe to. */
const subscribe = () => () => undefined;

/** Guide for a member without requests, using the built-in sandbox that needs no provider key. */
export function FirstRequest() {
  const origin = useSyncExternalStore(
    subscribe,
    () => window.location.origin,
    () => "http://localhost:3000",
  );
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
            <CodeBlock label="Request" text={request(origin)} wraps />
          </div>
        </li>
        <li>
          Inspect the request and response under <TextLink href="/generations">Generations</TextLink>.
        </li>
      </ol>
    </Card>
  );
}
