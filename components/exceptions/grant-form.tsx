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
import { useGrantException, type ExceptionSubject } from "./exception-queries";
import { DURATIONS, OWN_LIMIT, toGrant, type GrantValues } from "./grant-values";
import { liftableRules, ruleOf, type DecidedRule } from "./liftable-rules";

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
