import { useQuery } from "@tanstack/react-query";
import { DiffView } from "@/components/ui/diff-view";
import { Skeleton } from "@/components/ui/skeleton";
import { TextDiff } from "@/components/ui/text-diff";
import { DataState } from "@/components/layout/data-state";
import { CONFIG_LABELS } from "./config-labels";
import { presetVersionQuery, type PresetAddress } from "./preset-queries";

interface VersionDiffProps {
  address: PresetAddress;
  before: number;
  after: number;
}

/** Diff of two versions: settings by field, system prompts side by side. */
export function VersionDiff({ address, before, after }: VersionDiffProps) {
  const [older, newer] = [useQuery(presetVersionQuery(address, before)), useQuery(presetVersionQuery(address, after))];
  const [beforeLabel, afterLabel] = [`Version ${before}`, `Version ${after}`];
  const skeleton = <Skeleton className="h-32 rounded-lg" />;
  return (
    <DataState query={older} subject={`version ${before}`} skeleton={skeleton}>
      {({ data: from }) => (
        <DataState query={newer} subject={`version ${after}`} skeleton={skeleton}>
          {({ data: to }) => (
            <div className="grid gap-3">
              <DiffView
                before={from.config}
                after={to.config}
                beforeLabel={beforeLabel}
                afterLabel={afterLabel}
                labels={CONFIG_LABELS}
              />
              {from.system_prompt === to.system_prompt ? (
                <p className="text-[13px] text-muted">The system prompt is unchanged.</p>
              ) : (
                <section aria-label="System prompts compared" className="grid gap-1.5">
                  <h3 className="text-[13px] font-medium text-foreground">System prompt</h3>
                  <TextDiff
                    before={from.system_prompt}
                    after={to.system_prompt}
                    beforeLabel={`${beforeLabel} system prompt`}
                    afterLabel={`${afterLabel} system prompt`}
                  />
                </section>
              )}
            </div>
          )}
        </DataState>
      )}
    </DataState>
  );
}
