"use client";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { modelListQuery } from "@/components/policy/test-panel-queries";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Input } from "@/components/ui/input";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { useOrigin } from "@/lib/browser/use-origin";
import { baseUrlOf, CLIENT_HINTS, CLIENT_TITLES, CLIENTS, clientSnippet, type Client } from "./client-snippets";

const SANDBOX = "sandbox/";
const ANY_MODEL = "sandbox/echo";

/** Base URL and settings of common clients for a new key. */
export function ConnectPanel({ keyText }: { keyText: string }) {
  const id = useId();
  const origin = useOrigin();
  const [client, setClient] = useState<Client>("curl");
  const models = useQuery(modelListQuery).data?.data ?? [];
  const model = (models.find(({ slug }) => !slug.startsWith(SANDBOX)) ?? models[0])?.slug ?? ANY_MODEL;
  const baseUrl = baseUrlOf(client, origin);
  const hint = CLIENT_HINTS[client];
  return (
    <section aria-label="Connect" className="grid min-w-0 gap-3">
      <Tabs
        label="Client"
        value={client}
        onChange={setClient}
        items={CLIENTS.map((value) => ({ value, label: CLIENT_TITLES[value] }))}
      >
        {CLIENTS.map((value) => (
          <TabPanel key={value} value={value}>
            <div className="grid gap-3">
              <div className="grid gap-1.5">
                <label htmlFor={`${id}-${value}`} className="text-[13px] font-medium">
                  Base URL
                </label>
                <div className="flex items-center gap-2">
                  <Input
                    id={`${id}-${value}`}
                    readOnly
                    value={baseUrl}
                    onFocus={({ target }) => target.select()}
                    className="min-w-0 flex-1 bg-subtle font-mono text-[13px]"
                  />
                  <CopyButton text={baseUrl} label="Copy base URL" />
                </div>
              </div>
              <CodeBlock
                label={`${CLIENT_TITLES[value]} example`}
                text={clientSnippet(value, { origin, key: keyText, model })}
                className="[&>pre]:max-h-64"
              />
              {hint && <p className="text-[13px] text-muted">{hint}</p>}
            </div>
          </TabPanel>
        ))}
      </Tabs>
    </section>
  );
}
