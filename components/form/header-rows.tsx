"use client";
import { Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { useField } from "./use-field";

interface HeaderRowsProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  /** Names of stored headers. Undefined keeps them, `none` removes them. */
  stored?: readonly string[];
  /** Value without headers. */
  none?: Record<string, never> | null;
}

interface Row {
  id: number;
  name: string;
  value: string;
}

const recordOf = (rows: readonly Row[]) =>
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
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [nextId, setNextId] = useState(1);
  const addButton = useRef<HTMLButtonElement>(null);
  const change = (next: readonly Row[]) => {
    setRows(next);
    const record = recordOf(next);
    const filled = Object.keys(record).length === 0 ? none : record;
    field.onChange(next.length === 0 && stored.length > 0 ? undefined : filled);
  };
  const add = () => {
    change([...rows, { id: nextId, name: "", value: "" }]);
    setNextId(nextId + 1);
  };
  const remove = (id: number) => {
    change(rows.filter((row) => row.id !== id));
    addButton.current?.focus();
  };
  const set = (id: number, part: Partial<Row>) =>
    change(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const isRemoved = stored.length > 0 && rows.length === 0 && field.value !== undefined;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-[13px] font-medium">Extra headers</legend>
      {stored.length > 0 && rows.length === 0 && (
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
      {rows.map((row, index) => (
        <div key={row.id} role="group" aria-label={`Header ${index + 1}`} className="flex gap-2">
          <Input
            autoFocus
            aria-label="Header name"
            placeholder="x-api-version"
            autoComplete="off"
            value={row.name}
            onChange={({ target }) => set(row.id, { name: target.value.trim() })}
          />
          <Input
            aria-label="Header value"
            type="password"
            autoComplete="off"
            value={row.value}
            onChange={({ target }) => set(row.id, { value: target.value })}
          />
          <Button variant="ghost" size="icon" aria-label={`Remove header ${index + 1}`} onClick={() => remove(row.id)}>
            <X aria-hidden />
          </Button>
        </div>
      ))}
      {headerErrors(fieldState.error).map((error) => (
        <p key={error} role="alert" className="text-[13px] text-danger">
          {error}
        </p>
      ))}
      <div>
        <Button ref={addButton} size="sm" onClick={add}>
          <Plus aria-hidden /> {stored.length > 0 && rows.length === 0 ? "Replace stored headers" : "Add header"}
        </Button>
      </div>
    </fieldset>
  );
}
