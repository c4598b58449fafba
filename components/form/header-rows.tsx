"use client";
import { useState } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { NameValueRows, type NameValueRow } from "./name-value-rows";
import { useField } from "./use-field";

interface HeaderRowsProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  /** Names of stored headers. Undefined keeps them, `none` removes them. */
  stored?: readonly string[];
  /** Value without headers. */
  none?: Record<string, never> | null;
}

const recordOf = (rows: readonly NameValueRow[]) =>
  Object.fromEntries(rows.flatMap(({ name, value }) => (name !== "" || value !== "" ? [[name, value] as const] : [])));

/** Errors of a record field, with the header each one belongs to. */
function headerErrors(error: object | undefined): string[] {
  if (!error) return [];
  const own = "message" in error && typeof error.message === "string" ? [error.message] : [];
  const nested = Object.entries(error).flatMap(([name, entry]: [string, unknown]) =>
    typeof entry === "object" && entry !== null && "message" in entry && typeof entry.message === "string"
      ? [`${name || "A header"}: ${entry.message}`]
      : [],
  );
  return [...own, ...nested];
}

/** Headers sent with every request. Their values are write-only secrets. */
export function HeaderRows<Values extends FieldValues>({
  control,
  name,
  stored = [],
  none = null,
}: HeaderRowsProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const [rows, setRows] = useState<readonly NameValueRow[]>([]);
  const change = (next: readonly NameValueRow[]) => {
    setRows(next);
    const record = recordOf(next);
    const filled = Object.keys(record).length === 0 ? none : record;
    field.onChange(next.length === 0 && stored.length > 0 ? undefined : filled);
  };
  const showsStored = stored.length > 0 && rows.length === 0;
  const isRemoved = showsStored && field.value !== undefined;
  return (
    <NameValueRows
      legend="Extra headers"
      noun="Header"
      rows={rows}
      onChange={change}
      errors={headerErrors(fieldState.error)}
      example="x-api-version"
      action={showsStored ? "Replace stored headers" : "Add header"}
      hasSecretValues
    >
      {showsStored && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-muted wrap-anywhere">
            {isRemoved ? "Will be removed: " : "Stored (values hidden): "}
            <code className="font-mono text-[13px]">{stored.join(", ")}</code>
          </span>
          <Button size="sm" onClick={() => field.onChange(isRemoved ? undefined : none)}>
            {isRemoved ? "Keep stored headers" : "Remove stored headers"}
          </Button>
        </div>
      )}
    </NameValueRows>
  );
}
