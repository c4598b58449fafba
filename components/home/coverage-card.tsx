import type { UseQueryResult } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import { AssignDialog } from "@/components/assignments/assign-dialog";
import { formatCount } from "@/components/generations/generation-format";
import { DataState } from "@/components/layout/data-state";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { Answer } from "@/lib/browser/api-client";
import type { Coverage, getCoverage } from "@/lib/features/coverage/contract";

const NAMED = 3;

/** "3 keys have", "1 key has". */
const having = (count: number, noun: string) =>
  `${formatCount(count)} ${count === 1 ? `${noun} has` : `${noun}s have`}`;

/** The first names and the number of others. */
const namesOf = (names: readonly string[], total: number) =>
  `${names.slice(0, NAMED).join(", ")}${total > NAMED ? ` and ${formatCount(total - NAMED)} more` : ""}`;

interface Gap {
  title: string;
  names: string;
  fix: ReactNode;
}

type Fixing = "keys" | "members" | null;

const gapHref = (gap: string, workspace: string | null) =>
  `/coverage?${workspace === null ? "" : `workspace=${workspace}&`}gap=${gap}`;

function gapsOf(
  { uncovered_keys, uncovered_members, unlimited_keys, unassigned_guardrails }: Coverage,
  workspace: string | null,
  fix: (kind: "keys" | "members") => void,
): Gap[] {
  const assign = (kind: "keys" | "members", what: string) => (
    <Button size="sm" aria-label={`Assign guardrail to ${what}`} onClick={() => fix(kind)}>
      Assign guardrail
    </Button>
  );
  const link = (href: string, text: string) => (
    <LinkButton size="sm" href={href}>
      {text}
    </LinkButton>
  );
  const [idle] = unassigned_guardrails.data;
  const count = unassigned_guardrails.total_count;
  return [
    ...(uncovered_keys.total_count > 0
      ? [
          {
            title: `${having(uncovered_keys.total_count, "key")} no guardrail`,
            names: namesOf(
              uncovered_keys.data.map(({ key_name }) => key_name),
              uncovered_keys.total_count,
            ),
            fix: assign("keys", "these keys"),
          },
        ]
      : []),
    ...(uncovered_members.total_count > 0
      ? [
          {
            title: `${having(uncovered_members.total_count, "member")} no guardrail`,
            names: namesOf(
              uncovered_members.data.map(({ name }) => name),
              uncovered_members.total_count,
            ),
            fix: assign("members", "these members"),
          },
        ]
      : []),
    ...(unlimited_keys.total_count > 0
      ? [
          {
            title: `${having(unlimited_keys.total_count, "key")} no spending limit`,
            names: namesOf(
              unlimited_keys.data.map(({ key_name }) => key_name),
              unlimited_keys.total_count,
            ),
            fix: link(gapHref("limits", workspace), "Set limits"),
          },
        ]
      : []),
    ...(idle
      ? [
          {
            title: `${formatCount(count)} ${count === 1 ? "guardrail is" : "guardrails are"} unassigned`,
            names: namesOf(
              unassigned_guardrails.data.map(({ name }) => name),
              count,
            ),
            fix:
              count === 1
                ? link(`/guardrails/${idle.guardrail_id}`, "Open guardrail")
                : link(gapHref("guardrails", workspace), "Show guardrails"),
          },
        ]
      : []),
  ];
}

/** Coverage gaps with actions to close them. */
export function CoverageCard({
  query,
  workspace,
}: {
  query: UseQueryResult<Answer<typeof getCoverage>>;
  workspace: string | null;
}) {
  const [fixing, setFixing] = useState<Fixing>(null);
  return (
    <Card
      id="coverage"
      title="Coverage"
      description="Unprotected keys and unused guardrails"
      action={<TextLink href={gapHref("keys", workspace)}>Show all</TextLink>}
    >
      <DataState query={query} subject="coverage" skeleton={<Skeleton className="h-40" />}>
        {({ data }) => (
          <>
            <Gaps gaps={gapsOf(data, workspace, setFixing)} byDefault={data.keys.by_default} />
            <AssignDialog
              kind={fixing ?? "keys"}
              subjects={
                fixing === "members"
                  ? data.uncovered_members.data.map(({ user_id, name }) => ({ id: user_id, name }))
                  : data.uncovered_keys.data.map(({ key_hash, key_name }) => ({ id: key_hash, name: key_name }))
              }
              open={fixing !== null}
              onClose={() => setFixing(null)}
              onDone={() => void query.refetch()}
            />
          </>
        )}
      </DataState>
    </Card>
  );
}

function Gaps({ gaps, byDefault }: { gaps: readonly Gap[]; byDefault: number }) {
  return (
    <div className="grid gap-3">
      {gaps.length === 0 ? (
        <p className="flex items-center gap-2 text-sm">
          <CircleCheck aria-hidden className="size-4 text-success" /> Every key and member has a guardrail, and every
          key has a limit.
        </p>
      ) : (
        <ul aria-label="Coverage gaps" className="grid gap-3">
          {gaps.map(({ title, names, fix }) => (
            <li key={title} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <div className="grid min-w-0 flex-1 basis-48">
                <span className="text-sm font-medium">{title}</span>
                <span className="truncate text-[13px] text-muted">{names}</span>
              </div>
              {fix}
            </li>
          ))}
        </ul>
      )}
      {byDefault > 0 && (
        <p className="text-[13px] text-muted">
          {formatCount(byDefault)} {byDefault === 1 ? "key is" : "keys are"} covered only by the workspace default.
        </p>
      )}
    </div>
  );
}
