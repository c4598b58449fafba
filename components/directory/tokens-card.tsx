"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { useMay } from "@/components/session/user-context";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { useNow } from "@/components/ui/use-now";
import type { ScimToken } from "@/lib/records/scim-tokens/contract";
import { MOST_SCIM_TOKENS } from "@/lib/records/scim-tokens/vocabulary";
import { DeleteToken } from "./delete-token";
import { tokensQuery } from "./directory-queries";

const NewTokenDialog = lazyComponent(() => import("./new-token-dialog").then((file) => file.NewTokenDialog));

/** Bearer tokens of directories. */
export function TokensCard() {
  const tokens = useQuery(tokensQuery);
  const mayChange = useMay("sign_in:write");
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<ScimToken | null>(null);
  const isFull = (tokens.data?.data.length ?? 0) >= MOST_SCIM_TOKENS;
  return (
    <Card
      id="scim-tokens"
      title="Tokens"
      description={
        isFull
          ? `There are at most ${MOST_SCIM_TOKENS} tokens. Delete one to create another.`
          : "A token can provision members and groups, and nothing else."
      }
      action={
        mayChange && (
          <Button disabled={isFull} onClick={() => setCreating(true)}>
            New token…
          </Button>
        )
      }
    >
      <DataState query={tokens} subject="tokens" skeleton={<Skeleton className="h-12" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">
              No tokens yet. Create one and enter it with the base URL in the provisioning settings of your identity
              provider.
            </p>
          ) : (
            <ul aria-label="Tokens" className="divide-y">
              {data.map((token) => (
                <TokenItem key={token.id} token={token} onDelete={mayChange ? () => setDeleted(token) : null} />
              ))}
            </ul>
          )
        }
      </DataState>
      {isCreating && <NewTokenDialog onClose={() => setCreating(false)} />}
      {deleted && <DeleteToken token={deleted} onClose={() => setDeleted(null)} />}
    </Card>
  );
}

function TokenItem({ token, onDelete }: { token: ScimToken; onDelete: (() => void) | null }) {
  const { name, label, last_used_at, expires_at } = token;
  const now = useNow();
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="grid min-w-0 gap-0.5">
        <p className="font-medium wrap-anywhere">{name}</p>
        <code className="font-mono text-[13px] wrap-anywhere">{label}</code>
        <p className="text-[13px] text-muted">
          {last_used_at ? (
            <>
              Used <RelativeTime at={last_used_at} />
            </>
          ) : (
            "Never used"
          )}
          {expires_at && Date.parse(expires_at) > now && (
            <>
              {" · "}Expires <RelativeTime at={expires_at} isUpcoming />
            </>
          )}
        </p>
        {expires_at && Date.parse(expires_at) <= now && (
          <p>
            <Badge tone="warning">
              Expired <RelativeTime at={expires_at} />
            </Badge>
          </p>
        )}
      </div>
      {onDelete && (
        <Button size="sm" aria-label={`Delete ${name}…`} onClick={onDelete}>
          Delete…
        </Button>
      )}
    </li>
  );
}
