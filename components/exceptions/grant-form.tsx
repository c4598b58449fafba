"use client";
import { useForm, useWatch } from "react-hook-form";
import { AmountField } from "@/components/form/amount-field";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { Segmented } from "@/components/ui/segmented";
import { toast } from "@/components/ui/toast";
import { formatUsd } from "@/components/ui/usd";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import type { EffectiveBudget } from "@/lib/features/policy-check/contract";
import { useGrantException, type ExceptionSubject, type Grant } from "./exception-queries";
import { liftableRules, ruleOf, type DecidedRule, type LiftableRule } from "./liftable-rules";

interface GrantFormProps {
  subject: ExceptionSubject;
  guardrails: readonly Guardrail[];
  limits: readonly EffectiveBudget[];
  /** Vendors with a ZDR field of their own. */
  vendors: readonly string[];
  blockedBy?: DecidedRule | undefined;
  onClose: () => void;
}

const CHOOSE = { value: "", label: "Choose…" };

/** Distinct limits that can be raised. A guardrail may have budgets per key and per member. */
const limitOptions = (limits: readonly EffectiveBudget[]) => [
  ...new Map(
    limits.map(({ guardrail_id, guardrail_name, limit_usd }) => [
      guardrail_id,
      {
        value: guardrail_id ?? OWN_LIMIT,
        label: `${guardrail_name ?? "The key’s own limit"}: ${formatUsd(limit_usd)}`,
      },
    ]),
  ).values(),
];

function startOf(
  rules: ReturnType<typeof liftableRules>,
  limits: ReturnType<typeof limitOptions>,
  blockedBy: DecidedRule | undefined,
): GrantValues {
  const isLimit = blockedBy?.field === "limit_usd";
  const kind =
    isLimit || (rules.length === 0 && limits.length > 0)
      ? "raise_limit"
      : rules.length === 0
        ? "allow_phrase"
        : "lift_rule";
  const only = (some: readonly { value: string }[]) => (some.length === 1 ? (some[0]?.value ?? "") : "");
  const limit = isLimit ? (blockedBy.guardrail_id ?? OWN_LIMIT) : only(limits);
  return {
    kind,
    rule: (blockedBy && ruleOf(rules, blockedBy)?.value) ?? only(rules),
    phrase: "",
    limit,
    raise_usd: null,
    hours: "24",
    reason: "",
  };
}

const grantFromNow = (
  values: GrantValues,
  subject: GrantFormProps["subject"],
  rules: ReturnType<typeof liftableRules>,
) => toGrant(values, subject, rules, Date.now());

export function GrantForm({ subject, guardrails, limits, vendors, blockedBy, onClose }: GrantFormProps) {
  const rules = guardrails.flatMap((guardrail) => liftableRules(guardrail, vendors));
  const raisable = limitOptions(limits);
  const grant = useGrantException();
  const form = useForm<GrantValues>({ defaultValues: startOf(rules, raisable, blockedBy) });
  const { control } = form;
  const kind = useWatch({ control, name: "kind" });
  const toBody = (values: GrantValues) => {
    const body = grantFromNow(values, subject, rules);
    if (!("message" in body)) return body;
    form.setError(body.field, { message: body.message }, { shouldFocus: true });
    return null;
  };
  return (
    <MutationForm
      form={form}
      mutation={grant}
      toVariables={toBody}
      onSaved={() => {
        toast.success("Exception granted", { description: "Takes effect on the next request." });
        onClose();
      }}
      action="Grant exception"
      onCancel={onClose}
    >
      <Segmented
        label="Kind of exception"
        value={kind}
        onValueChange={(value) => {
          form.setValue("kind", value);
          form.clearErrors();
        }}
        options={[
          { value: "lift_rule", label: "Lift a rule", isDisabled: rules.length === 0 },
          { value: "allow_phrase", label: "Allow a phrase" },
          { value: "raise_limit", label: "Raise a limit", isDisabled: raisable.length === 0 },
        ]}
      />
      {kind === "lift_rule" && (
        <SelectField
          control={control}
          name="rule"
          label="Rule"
          hint="All other rules still apply."
          options={[CHOOSE, ...rules]}
        />
      )}
      {kind === "allow_phrase" && (
        <TextField
          control={control}
          name="phrase"
          label="Exact text"
          rows={2}
          hint="Content filters ignore matches inside this text. Plain text, case-sensitive, spaces included."
        />
      )}
      {kind === "raise_limit" && (
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
          <SelectField control={control} name="limit" label="Limit" options={[CHOOSE, ...raisable]} />
          <AmountField control={control} name="raise_usd" label="Raise by (USD)" />
        </div>
      )}
      <SelectField control={control} name="hours" label="Duration" options={DURATIONS} />
      <TextField control={control} name="reason" label="Reason" input={{ maxLength: 500, autoComplete: "off" }} />
    </MutationForm>
  );
}

interface GrantValues {
  kind: Grant["kind"];
  /** Value of a rule from `liftableRules`. */
  rule: string;
  phrase: string;
  /** ID of the guardrail whose limit is raised, or `OWN_LIMIT`. */
  limit: string;
  raise_usd: number | null;
  hours: string;
  reason: string;
}

const OWN_LIMIT = "own";
const HOUR_MS = 3_600_000;

const DURATIONS = [
  { value: "1", label: "1 hour" },
  { value: "8", label: "8 hours" },
  { value: "24", label: "1 day" },
  { value: "168", label: "1 week" },
  { value: "720", label: "30 days" },
  { value: "2160", label: "90 days" },
] as const;

/** The request body, or the first invalid field and its message. */
function toGrant(
  values: GrantValues,
  subject: ExceptionSubject,
  rules: readonly LiftableRule[],
  now: number,
): Grant | { field: keyof GrantValues; message: string } {
  const { kind, phrase, limit, raise_usd } = values;
  const reason = values.reason.trim();
  const common = { ...subject, reason, expires_at: new Date(now + Number(values.hours) * HOUR_MS).toISOString() };
  const rule = rules.find(({ value }) => value === values.rule);
  if (kind === "lift_rule" && !rule) return { field: "rule", message: "Choose a rule to lift" };
  if (kind === "allow_phrase" && phrase.trim() === "") return { field: "phrase", message: "Exact text is required" };
  if (kind === "raise_limit" && limit === "") return { field: "limit", message: "Choose a limit to raise" };
  if (kind === "raise_limit" && !(Number(raise_usd) > 0))
    return { field: "raise_usd", message: "Enter an amount above $0" };
  if (reason === "") return { field: "reason", message: "Reason is required" };
  if (kind === "allow_phrase") return { ...common, kind, phrase };
  if (kind === "raise_limit")
    return { ...common, kind, raise_usd: raise_usd ?? 0, ...(limit !== OWN_LIMIT && { guardrail_id: limit }) };
  const { guardrail_id = "", field = "allowed_models", rule: lifted } = rule ?? {};
  return { ...common, kind, guardrail_id, field, ...(lifted !== undefined && { rule: lifted }) };
}
