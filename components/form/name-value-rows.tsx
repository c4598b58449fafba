"use client";
import { Plus, X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

export interface NameValue {
  name: string;
  value: string;
}

export interface NameValueRow extends NameValue {
  id: number;
}

interface NameValueRowsProps {
  legend: string;
  /** Noun for a row: "Header". */
  noun: string;
  rows: readonly NameValueRow[];
  onChange: (rows: readonly NameValueRow[]) => void;
  errors: readonly string[];
  /** Example of a name. */
  example: string;
  /** Text of the button that adds a row. */
  action: string;
  hasSecretValues?: boolean;
  /** Shown above the rows. */
  children?: ReactNode;
}

/** Rows of a name and a value that can be added and removed. */
export function NameValueRows({
  legend,
  noun,
  rows,
  onChange,
  errors,
  example,
  action,
  hasSecretValues = false,
  children,
}: NameValueRowsProps) {
  const [added, setAdded] = useState<number | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const add = () => {
    const id = Math.max(0, ...rows.map((row) => row.id)) + 1;
    onChange([...rows, { id, name: "", value: "" }]);
    setAdded(id);
  };
  const remove = (id: number) => {
    onChange(rows.filter((row) => row.id !== id));
    addButton.current?.focus();
  };
  const set = (id: number, part: Partial<NameValue>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-[13px] font-medium">{legend}</legend>
      {children}
      {rows.map((row, index) => (
        <div key={row.id} role="group" aria-label={`${noun} ${index + 1}`} className="flex gap-2">
          <Input
            autoFocus={row.id === added}
            aria-label={`${noun} name`}
            placeholder={example}
            autoComplete="off"
            value={row.name}
            onChange={({ target }) => set(row.id, { name: target.value.trim() })}
          />
          <Input
            aria-label={`${noun} value`}
            type={hasSecretValues ? "password" : "text"}
            autoComplete="off"
            value={row.value}
            onChange={({ target }) => set(row.id, { value: target.value })}
          />
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Remove ${noun.toLowerCase()} ${index + 1}`}
            onClick={() => remove(row.id)}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      {errors.map((error) => (
        <p key={error} role="alert" className="text-[13px] text-danger">
          {error}
        </p>
      ))}
      <div>
        <Button ref={addButton} size="sm" onClick={add}>
          <Plus aria-hidden /> {action}
        </Button>
      </div>
    </fieldset>
  );
}
