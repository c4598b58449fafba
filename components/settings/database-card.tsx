import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Meter } from "@/components/ui/meter";
import type { InstalledDatabase } from "@/lib/records/organization/contract";
import { describeUse, LIMIT_LABELS } from "./embedded-limits";

/** Use of the embedded database, and how to leave it. */
export function DatabaseCard({ database }: { database: InstalledDatabase }) {
  if (database.kind === "postgresql") return null;
  return (
    <Card
      id="database"
      title="Embedded database"
      description="The embedded database serves one process. For more, move to PostgreSQL; keys, sessions and the log are kept."
      className="grid gap-4"
    >
      <div className="grid gap-3 sm:grid-cols-2">
        {database.limits.map((limit) => (
          <Meter
            key={limit.name}
            label={LIMIT_LABELS[limit.name]}
            value={limit.used}
            max={limit.limit}
            text={describeUse(limit)}
          />
        ))}
      </div>
      <div className="grid gap-1.5 text-[13px]">
        <p>
          To move, stop Signalbox and back it up. Then set <code>DATABASE_URL</code> to an empty PostgreSQL database and{" "}
          <code>SIGNALBOX_SECRET_KEY</code> to the content of <code>secret-key</code> in the data folder, and restore:
        </p>
        <CodeBlock label="Commands" text={"npm run backup -- --to ./backup\nnpm run restore -- --from ./backup"} />
      </div>
    </Card>
  );
}
