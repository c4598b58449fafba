import { CodeBlock } from "@/components/ui/code-block";
import { useOrigin } from "@/lib/browser/use-origin";
import type { WorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { workloadCode } from "./workload-code";

/** Code for the identity's platform. */
export function HowToUse({ identity }: { identity: WorkloadIdentity }) {
  const origin = useOrigin();
  return (
    <div className="grid min-w-0 gap-3">
      {workloadCode(identity, origin).map(({ label, text }) => (
        <div key={label} className="grid min-w-0 gap-1.5">
          <p className="text-[13px] font-medium">{label}</p>
          <CodeBlock label={label} text={text} />
        </div>
      ))}
    </div>
  );
}
