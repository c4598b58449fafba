"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Facts } from "@/components/ui/facts";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { count } from "@/lib/platform/count";
import { directoryQuery } from "./directory-queries";
import { TokensCard } from "./tokens-card";

/** How an identity provider provisions members and groups, and what it has provisioned. */
export function DirectoryPanel() {
  const directory = useQuery(directoryQuery);
  return (
    <DataState query={directory} subject="the directory" skeleton={<Skeleton className="h-64 w-full" />}>
      {({ data: { base_url, last_request_at, members, groups } }) => (
        <div className="grid gap-4">
          <Card
            id="directory"
            title="Directory"
            description="An identity provider such as Entra ID or Okta adds, changes and deactivates members and groups by SCIM 2.0."
            className="grid gap-4"
          >
            <div className="grid gap-1.5">
              <p className="text-[13px] font-medium">Base URL</p>
              <CodeBlock label="Base URL" text={base_url} wraps />
            </div>
            <Facts
              facts={[
                {
                  term: "Last request",
                  value: last_request_at ? <RelativeTime at={last_request_at} /> : "No requests yet",
                },
                { term: "Active members", value: members.active.toLocaleString("en") },
                {
                  term: "Deactivated members",
                  value:
                    members.deactivated === 0 ? (
                      "None"
                    ) : (
                      <TextLink href="/members?status=deactivated">{count(members.deactivated, "member")}</TextLink>
                    ),
                },
                { term: "Groups", value: groups.toLocaleString("en") },
              ]}
            />
          </Card>
          <TokensCard />
        </div>
      )}
    </DataState>
  );
}
