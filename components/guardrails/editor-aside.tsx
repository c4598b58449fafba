import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useDeferredValue } from "react";
import type { UseFormReturn } from "react-hook-form";
import { parseAsStringLiteral } from "nuqs/server";
import { useFailedTests } from "@/components/policy-tests/policy-test-queries";
import { TestsPanel } from "@/components/policy-tests/tests-panel";
import { ImpactPanel } from "@/components/replay/impact-panel";
import { openInPlayground } from "@/components/playground/guardrail-draft";
import { TestPanel } from "@/components/policy/test-panel";
import { sessionQuery } from "@/components/session/session-queries";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { TabPanel, Tabs, type TabItem } from "@/components/ui/tabs";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import type { GuardrailField, GuardrailValues } from "./guardrail-values";
import { LintPanel } from "./lint-panel";
import { lintableDraft, triableDraft, useLint } from "./lint-queries";
import { useValues } from "./use-values";
import { guardrailEffects } from "./guardrail-effects";

interface EditorAsideProps {
  form: UseFormReturn<GuardrailValues>;
  /** Null for a new guardrail. */
  guardrail: Guardrail | null;
  workspace: string | null;
}

/** Tools that explain, check and test the draft. All stay mounted, so that a tool keeps its input and result. */
export function EditorAside({ form, guardrail, workspace }: EditorAsideProps) {
  const values = useDeferredValue(useValues(form.control));
  const [{ tool }, setState] = useQueryStates(EDITOR_STATE);
  const owner = guardrail ? { id: guardrail.id } : workspace ? { workspace_id: workspace } : {};
  const changes = lintableDraft(values, {}).fields;
  const problems = useLint(values, owner).data?.filter(({ severity }) => severity !== "info").length;
  const failedTests = useFailedTests(guardrail?.id ?? null, changes);
  const fix = (field: GuardrailField, value: unknown) =>
    form.setValue(field, value as GuardrailValues[GuardrailField], { shouldDirty: true, shouldValidate: true });
  const trial = triableDraft(values, guardrail ? { id: guardrail.id } : {});
  const name = values.name.trim() || "Draft";
  const items: readonly TabItem<Tool>[] = [
    { value: "summary", label: "Summary" },
    { value: "problems", label: "Problems", count: problems === 0 ? undefined : problems },
    { value: "impact", label: "Impact" },
    ...(guardrail
      ? [{ value: "tests" as const, label: "Tests", count: failedTests === 0 ? undefined : failedTests }]
      : []),
    { value: "try", label: "Try it" },
  ];
  const shown = items.some(({ value }) => value === tool) ? tool : "summary";
  return (
    <aside
      id="tools"
      aria-label="Draft details"
      className="min-w-0 scroll-mt-28 lg:sticky lg:top-19 lg:max-h-[calc(100dvh-9.5rem)] lg:overflow-y-auto"
    >
      <Tabs
        label="Tools"
        value={shown}
        onChange={(value) => void setState({ tool: value })}
        items={items}
        isListSticky
        isCompact
      >
        <TabPanel value="summary" isKept>
          <GuardrailEffects values={values} />
        </TabPanel>
        <TabPanel value="problems" isKept>
          <LintPanel draft={values} owner={owner} onFix={fix} />
        </TabPanel>
        <TabPanel value="impact" isKept>
          <ImpactPanel guardrail={lintableDraft(values, owner).fields} />
        </TabPanel>
        {guardrail && (
          <TabPanel value="tests" isKept>
            <TestsPanel guardrail={guardrail} changes={changes} />
          </TabPanel>
        )}
        <TabPanel value="try" isKept>
          <TestPanel
            testGuardrail={guardrail}
            draft={trial}
            action={
              <Button size="sm" onClick={() => openInPlayground({ name, draft: { ...trial, name } }, workspace)}>
                <ExternalLink aria-hidden /> Try in playground
              </Button>
            }
            guardrailId={guardrail?.id}
            workspaceId={workspace ?? undefined}
          />
        </TabPanel>
      </Tabs>
    </aside>
  );
}

function GuardrailEffects({ values }: { values: GuardrailValues }) {
  const { data: session } = useQuery(sessionQuery);
  const sentences = guardrailEffects(values, session?.zdr_vendors);
  return (
    <Card id="what-it-does" title="What this does">
      {sentences.length === 0 ? (
        <p className="text-muted">
          No restrictions yet: all models and providers allowed, no filters, no spending limit.
        </p>
      ) : (
        <ul className="grid list-disc gap-1.5 pl-4 marker:text-muted">
          {sentences.map((sentence) => (
            <li key={sentence} className="wrap-anywhere">
              {sentence}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const TOOLS = ["summary", "problems", "impact", "tests", "try"] as const;
type Tool = (typeof TOOLS)[number];

/** URL state of the guardrail editor: the tool beside the form. */
const EDITOR_STATE = { tool: parseAsStringLiteral(TOOLS).withDefault("summary") };
