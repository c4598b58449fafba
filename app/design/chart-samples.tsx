import { BarList } from "@/components/ui/bar-list";
import { Card } from "@/components/ui/card";
import { Meter } from "@/components/ui/meter";
import { Progress } from "@/components/ui/progress";
import { StackedChart } from "@/components/ui/stacked-chart";
import { Stat } from "@/components/ui/stat";

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const DATA = Array.from({ length: 24 }, (_, hour) => ({
  at: new Date(START + hour * HOUR_MS).toISOString(),
  answered: 20 + ((hour * 7) % 13),
  blocked: (hour * 5) % 7,
  failed: hour % 3,
}));

export function ChartSamples() {
  return (
    <Card id="numbers" title="Numbers" className="grid gap-5">
      <div className="grid rounded-lg border sm:grid-cols-3 sm:divide-x">
        <Stat
          label="Spend"
          value="$128.40"
          hint="Last 24 hours"
          trend={{ text: "12%", direction: "up", isGood: false }}
        />
        <Stat label="Requests" value="12,480" trend={{ text: "3%", direction: "up", isGood: true }} />
        <Stat label="p95 latency" value="1.4 s" trend={{ text: "no change", direction: "flat" }} />
      </div>
      <StackedChart
        label="Outcomes over time"
        timeZone="UTC"
        bucketSeconds={3600}
        data={DATA}
        series={[
          { key: "answered", label: "Answered", tone: "success" },
          { key: "blocked", label: "Blocked", tone: "warning" },
          { key: "failed", label: "Failed", tone: "danger" },
        ]}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <BarList
          label="Spend by model"
          items={[
            { label: "openai/gpt-5", value: 80, text: "$80.00", href: "/design" },
            { label: "anthropic/claude-sonnet-5-with-a-long-name", value: 31, text: "$31.00" },
            { label: "mistralai/small", value: 0, text: "$0.00" },
          ]}
        />
        <div className="grid content-start gap-3">
          <Meter label="Staging" value={4} max={10} text="$4.00 of $10.00" />
          <Meter label="Production" value={9} max={10} text="$9.00 of $10.00" />
          <Meter label="Research" value={12} max={10} text="$12.00 of $10.00" />
          <Progress label="Export" value={40} />
          <Progress label="Import" value={null} />
        </div>
      </div>
    </Card>
  );
}
