"use client";
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { announce } from "@/lib/browser/announce";
import { toFailure } from "@/lib/browser/api-failure";
import type { LintFinding } from "@/lib/features/lint/contract";
import { LINT_SEVERITIES } from "@/lib/features/lint/vocabulary";
import type { GuardrailField, GuardrailValues } from "./guardrail-values";
import { useLint, type LintedOwner } from "./lint-queries";
import { placeOf } from "./lint-text";

const SEVERITIES = {
  error: { title: "Errors", icon: CircleAlert, ink: "text-danger" },
  warning: { title: "Warnings", icon: TriangleAlert, ink: "text-warning" },
  info: { title: "Info", icon: Info, ink: "text-muted" },
} as const;

interface LintPanelProps {
  draft: GuardrailValues;
  owner: LintedOwner;
  onFix: (path: GuardrailField, value: unknown) => void;
}

/** Lint findings of the draft, updated while it is edited. */
export function LintPanel({ draft, owner, onFix }: LintPanelProps) {
  const lint = useLint(draft, owner);
  const fix = (finding: LintFinding) => {
    if (!finding.fix) return;
    onFix(finding.fix.path, finding.fix.value);
    announce(`Fixed: ${finding.message}`);
  };
  return (
    <Card id="lint" title="Problems">
      <div role="status" aria-label="Problems" aria-busy={lint.isFetching} className="grid gap-3">
        {lint.isError ? (
          <LintUnavailable error={lint.error} />
        ) : lint.data ? (
          <Findings findings={lint.data} onFix={fix} />
        ) : (
          <p className="text-muted">Checking…</p>
        )}
      </div>
    </Card>
  );
}

/** An invalid draft can't be linted; its fields show the reasons. */
const LintUnavailable = ({ error }: { error: unknown }) => (
  <p className="text-muted">
    {toFailure(error).status === 400
      ? "Fix the invalid fields to check the rest."
      : "Couldn't check the draft. It is checked again on your next change."}
  </p>
);

function Findings({ findings, onFix }: { findings: readonly LintFinding[]; onFix: (finding: LintFinding) => void }) {
  if (findings.length === 0) {
    return (
      <p className="flex items-center gap-2 text-muted">
        <CircleCheck aria-hidden className="size-4 text-success" /> No problems found
      </p>
    );
  }
  return LINT_SEVERITIES.map((severity) => {
    const { title, icon: Icon, ink } = SEVERITIES[severity];
    const group = findings.filter((finding) => finding.severity === severity);
    return (
      group.length > 0 && (
        <section key={severity} className="grid gap-1.5">
          <h3 className={`flex items-center gap-1.5 text-[13px] font-medium ${ink}`}>
            <Icon aria-hidden className="size-4" /> {title}
          </h3>
          <ul className="grid gap-2">
            {group.map((finding) => (
              <Finding
                key={`${finding.code} ${finding.path.join(".")} ${finding.message}`}
                finding={finding}
                onFix={() => onFix(finding)}
              />
            ))}
          </ul>
        </section>
      )
    );
  });
}

function Finding({ finding, onFix }: { finding: LintFinding; onFix: () => void }) {
  const { label, href } = placeOf(finding.path);
  return (
    <li className="flex items-start justify-between gap-3 text-[13px]">
      <p className="min-w-0 wrap-anywhere">
        <a href={href} className="rounded-sm text-accent underline underline-offset-2">
          {label}
        </a>
        : {finding.message}
      </p>
      {finding.fix && (
        <Button size="sm" aria-label={`Fix: ${finding.message}`} onClick={onFix}>
          Fix
        </Button>
      )}
    </li>
  );
}
