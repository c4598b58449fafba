"use client";
import { useId, useState, type ReactNode, type SubmitEvent } from "react";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { InlineCode } from "@/components/ui/inline-code";
import { Input, Textarea } from "@/components/ui/input";
import { useApiMutation } from "@/lib/browser/api-mutation";
import type { Parameter } from "./reference-document";

interface TryItProps {
  method: string;
  path: string;
  parameters: readonly Parameter[];
  /** Example body as text; null for operations without a body. */
  body: string | null;
}

interface TriedAnswer {
  status: number;
  requestId: string | null;
  text: string;
}

const AUTHORIZATION = "authorization";
const BODY = "body";

const indented = (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Builds and sends the request from the form's fields. */
async function send({ method, path, parameters }: TryItProps, fields: FormData): Promise<TriedAnswer> {
  const given = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const url = `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given(`path:${name}`)))}`;
  const search = new URLSearchParams(
    parameters
      .filter(({ in: where, name }) => where === "query" && given(`query:${name}`) !== "")
      .map(({ name }) => [name, given(`query:${name}`)]),
  );
  const headers = new Headers();
  if (given(AUTHORIZATION) !== "") headers.set("authorization", `Bearer ${given(AUTHORIZATION)}`);
  const body = fields.get(BODY);
  if (typeof body === "string") headers.set("content-type", "application/json");
  const response = await fetch(search.size > 0 ? `${url}?${search}` : url, {
    method,
    headers,
    body: typeof body === "string" ? body : null,
  });
  return {
    status: response.status,
    requestId: response.headers.get("x-request-id"),
    text: indented(await response.text()),
  };
}

/** Sends a request to this installation, as the signed-in user or with a key. */
export function TryIt(props: TryItProps) {
  const { method, parameters, body } = props;
  const [key, setKey] = useState("");
  const request = useApiMutation({ mutationFn: (fields: FormData) => send(props, fields), networkMode: "always" });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    request.mutate(new FormData(event.currentTarget));
  };
  return (
    <Card
      id="try-it"
      title="Try it"
      description={
        method === "GET"
          ? "Sends a real request to this installation."
          : "Sends a real request to this installation. Changes take effect."
      }
    >
      <form onSubmit={submit} className="grid gap-4">
        <Entry label="API key" hint="Leave blank to use your session. Not stored.">
          {(id) => (
            <Input
              id={id}
              name={AUTHORIZATION}
              value={key}
              onChange={(event) => setKey(event.target.value)}
              autoComplete="off"
              spellCheck={false}
              placeholder="sb-…"
              className="font-mono"
            />
          )}
        </Entry>
        {parameters
          .filter(({ in: where }) => where !== "header")
          .map(({ name, in: where, required, description }) => (
            <Entry key={name} label={name} hint={description && <InlineCode text={description} />}>
              {(id) => (
                <Input id={id} name={`${where}:${name}`} required={required} spellCheck={false} className="font-mono" />
              )}
            </Entry>
          ))}
        {body !== null && (
          <Entry label="Body">
            {(id) => (
              <Textarea
                id={id}
                name={BODY}
                defaultValue={body}
                spellCheck={false}
                rows={Math.min(body.split("\n").length + 1, 20)}
                className="font-mono text-[13px]"
              />
            )}
          </Entry>
        )}
        <Button type="submit" variant="primary" disabled={request.isPending} className="justify-self-start">
          Send request
        </Button>
        <div aria-live="polite" className="grid gap-2">
          {request.error && (
            <Alert kind="danger" title="No response">
              {request.error.message}
            </Alert>
          )}
          {request.data && <Answered answer={request.data} />}
        </div>
      </form>
    </Card>
  );
}

function Answered({ answer: { status, requestId, text } }: { answer: TriedAnswer }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-[13px] text-muted">
        <Badge tone={status < 400 ? "success" : "danger"}>{status}</Badge>
        {requestId && <code className="font-mono break-all">{requestId}</code>}
      </p>
      <CodeBlock label="Response" text={text} wraps />
    </>
  );
}

function Entry({ label, hint, children }: { label: string; hint?: ReactNode; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-[13px] font-medium">
        {label}
      </label>
      {children(id)}
      {hint && <p className="text-[13px] text-muted">{hint}</p>}
    </div>
  );
}
