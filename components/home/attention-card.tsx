import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { AssignDialog } from "@/components/assignments/assign-dialog";
import { formatCount } from "@/components/generations/generation-format";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { Coverage } from "@/lib/features/coverage/contract";
import { coverageHref, type AttentionItem } from "./attention";

interface AttentionCardProps {
  items: readonly AttentionItem[];
  isLoading: boolean;
  /** Null for members, who can't change it. */
  coverage: Coverage | null;
  workspace: string | null;
}

/** Items shown at first: about the height of the chart beside them. */
const SHOWN = 4;

/** Keyed by ID, because records may have the same name. */
const keyOf = ({ title, remedy }: AttentionItem) => `${title} ${"href" in remedy ? remedy.href : ""}`;

/** Problems that need attention now, each with its fix. */
export function AttentionCard({ items, isLoading, coverage, workspace }: AttentionCardProps) {
  const [assigning, setAssigning] = useState<"keys" | "members" | null>(null);
  const [isExpanded, setExpanded] = useState(false);
  const byDefault = coverage?.keys.by_default ?? 0;
  return (
    <Card
      id="attention"
      title="Needs attention"
      action={coverage && <TextLink href={coverageHref("keys", workspace)}>Coverage</TextLink>}
    >
      {isLoading ? (
        <Skeleton className="h-52" />
      ) : items.length > 0 ? (
        <>
          <ul aria-label="Needs attention" className="grid divide-y">
            {items.slice(0, isExpanded ? undefined : SHOWN).map((item) => (
              <Item key={keyOf(item)} item={item} onAssign={setAssigning} />
            ))}
          </ul>
          {items.length > SHOWN && (
            <Button
              size="sm"
              variant="ghost"
              className="mt-2 -ml-2.5"
              aria-expanded={isExpanded}
              onClick={() => setExpanded(!isExpanded)}
            >
              {isExpanded ? "Show fewer" : `Show all ${formatCount(items.length)}`}
            </Button>
          )}
        </>
      ) : (
        <p className="flex items-center gap-2 text-sm">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
          {coverage
            ? "Nothing. Every key and member has a guardrail, and every key has a limit."
            : "Nothing. Your budgets are on track."}
        </p>
      )}
      {byDefault > 0 && (
        <p className="mt-3 text-[13px] text-muted">
          {formatCount(byDefault)} {byDefault === 1 ? "key is" : "keys are"} covered only by the workspace default.
        </p>
      )}
      {coverage && (
        <AssignDialog
          kind={assigning ?? "keys"}
          subjects={
            assigning === "members"
              ? coverage.uncovered_members.data.map(({ user_id, name }) => ({ id: user_id, name }))
              : coverage.uncovered_keys.data.map(({ key_hash, key_name }) => ({ id: key_hash, name: key_name }))
          }
          open={assigning !== null}
          onClose={() => setAssigning(null)}
        />
      )}
    </Card>
  );
}

/** The verb of an action, for a narrow button. Its accessible name has the whole text. */
const verbOf = (text: string) => text.split(" ", 1)[0];

interface ItemProps {
  item: AttentionItem;
  onAssign: (kind: "keys" | "members") => void;
}

function Item({ item: { title, detail, severity, remedy }, onAssign }: ItemProps) {
  const isUrgent = severity === "danger";
  const Icon = isUrgent ? CircleAlert : TriangleAlert;
  return (
    <li className="flex items-center justify-between gap-3 py-2 first:pt-0 last:pb-0">
      <div className="flex min-w-0 flex-1 items-start gap-2.5">
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${isUrgent ? "text-danger" : "text-warning"}`} />
        <div className="grid min-w-0">
          <span className="text-sm font-medium wrap-anywhere">{title}</span>
          <span className="truncate text-[13px] text-muted">{detail}</span>
        </div>
      </div>
      {"assign" in remedy ? (
        <Button
          size="sm"
          aria-label={`Assign guardrail to these ${remedy.assign}`}
          onClick={() => onAssign(remedy.assign)}
        >
          Assign
        </Button>
      ) : (
        <LinkButton size="sm" href={remedy.href} aria-label={`${remedy.text}: ${title}`}>
          {verbOf(remedy.text)}
        </LinkButton>
      )}
    </li>
  );
}
