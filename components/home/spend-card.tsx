import { formatCount } from "@/components/generations/generation-format";
import { BarList } from "@/components/ui/bar-list";
import { Card } from "@/components/ui/card";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { formatUsd } from "@/components/ui/usd";
import type { Breakdown, Overview } from "@/lib/features/analytics/contract";
import { logLink, type Counted } from "@/components/generations/log-link";
import type { OverviewState } from "./overview-state";

type By = OverviewState["by"];

/** Label, log filter, and the name for requests without a value. */
const KINDS = {
  model: { label: "Model", filter: "model", none: "No model" },
  key: { label: "Key", filter: "key_hash", none: "No key" },
  member: { label: "Member", filter: "user_id", none: "No member" },
  provider: { label: "Provider", filter: "provider", none: "No provider" },
} as const satisfies Record<By, object>;

const requests = (count: number) => `${formatCount(count)} ${count === 1 ? "request" : "requests"}`;
const amounts = (share: { spend_usd: number; requests: number }) =>
  `${formatUsd(share.spend_usd)} · ${requests(share.requests)}`;

function itemsOf(by: By, { top, other }: Breakdown, counted: Counted) {
  const { filter, none } = KINDS[by];
  const items = top.map((share) => ({
    label: share.name?.trim() || none,
    value: share.spend_usd,
    text: amounts(share),
    href: !share.id ? undefined : logLink(counted, { [filter]: share.id }),
  }));
  return other
    ? [
        ...items,
        {
          label: `${formatCount(other.count)} ${other.count === 1 ? "other" : "others"}`,
          value: other.spend_usd,
          text: amounts(other),
        },
      ]
    : items;
}

interface SpendCardProps {
  overview: Overview;
  counted: Counted;
  by: By;
  onBy: (by: By) => void;
  /** Members only see their own spend, so there is no breakdown by member. */
  kinds: readonly By[];
}

export function SpendCard({ overview: { spend }, counted, by, onBy, kinds }: SpendCardProps) {
  const shown = kinds.includes(by) ? by : "model";
  return (
    <Card id="spend" title="Top spend">
      <Tabs
        label="Spend by"
        value={shown}
        onChange={onBy}
        items={kinds.map((value) => ({ value, label: KINDS[value].label }))}
      >
        {kinds.map((kind) => (
          <TabPanel key={kind} value={kind}>
            {spend[kind].top.length === 0 ? (
              <p className="text-sm text-muted">No requests in this range.</p>
            ) : (
              <BarList
                label={`Spend by ${KINDS[kind].label.toLowerCase()}`}
                items={itemsOf(kind, spend[kind], counted)}
              />
            )}
          </TabPanel>
        ))}
      </Tabs>
    </Card>
  );
}
