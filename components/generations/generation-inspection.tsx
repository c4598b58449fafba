import { AllowForKey } from "@/components/exceptions/allow-for-key";
import { useMay } from "@/components/session/user-context";
import { Alert } from "@/components/ui/alert";
import { CodeBlock } from "@/components/ui/code-block";
import { FoldedCard } from "@/components/ui/folded-card";
import { cn } from "@/components/ui/class-names";
import type { Generation } from "@/lib/records/generations/contract";
import { ContentCard } from "./content-card";
import { DecisionRecord } from "./decision-record";
import { blockReason } from "./decision-text";
import { GenerationFacts } from "./generation-facts";
import { TimelineCard } from "./timeline-card";
import { WhyCard } from "./why-card";

/** All details of a generation, shared by the side sheet and the page. */
export function GenerationInspection({ generation, isWide = false }: { generation: Generation; isWide?: boolean }) {
  const canExplain = useMay("generations:read");
  return (
    <div className="grid gap-4">
      <Outcome generation={generation} />
      <div className={cn("grid items-start gap-4", isWide && "xl:grid-cols-2")}>
        <div className="grid min-w-0 gap-4">
          <ContentCard generation={generation} />
        </div>
        <div className="grid min-w-0 gap-4">
          <DecisionRecord generation={generation} />
          {canExplain && <WhyCard id={generation.id} />}
          <TimelineCard generation={generation} />
          <GenerationFacts generation={generation} />
          <FoldedCard id="json" title="JSON" description="This record as the API returns it.">
            <CodeBlock label="Record" text={JSON.stringify(generation, null, 2)} />
          </FoldedCard>
        </div>
      </div>
    </div>
  );
}

/** One sentence on why the request didn't succeed. */
function Outcome({ generation }: { generation: Generation }) {
  const { status, error } = generation;
  const because = blockReason(generation);
  if (because !== null) {
    return (
      <Alert kind="warning" title={because} action={<AllowForKey generation={generation} />}>
        {error && `Error returned (${error.status}): ${error.message}`}
      </Alert>
    );
  }
  if (status === "cancelled")
    return <Alert kind="info" title="The client disconnected before the response was complete." />;
  return error && <Alert kind="danger" title={error.message}>{`Returned with status ${error.status}`}</Alert>;
}
