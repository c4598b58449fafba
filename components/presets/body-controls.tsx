import { useState } from "react";
import { Field } from "@/components/form/field";
import { CodeEditor } from "@/components/ui/code-editor";
import { Input, Textarea } from "@/components/ui/input";
import { Picker, type PickerOption } from "@/components/ui/picker";
import { Select } from "@/components/ui/select";
import { SuggestedInput } from "@/components/ui/suggested-input";
import type { Body, BodyField } from "./body-fields";
import { parseBody } from "./request-text";

interface ControlProps {
  field: BodyField;
  value: unknown;
  errors: readonly string[];
  onChange: (value: unknown) => void;
}

/**
 * Keeps the typed text while it stands for the value, so that "1." isn't replaced by "1", and drops it when the
 * value changes elsewhere.
 */
function useTyped(value: unknown, read: (text: string) => unknown, write: (value: unknown) => string) {
  const [typed, setTyped] = useState<string | null>(null);
  const isCurrent = typed !== null && JSON.stringify(read(typed)) === JSON.stringify(value);
  return [isCurrent ? typed : write(value), setTyped] as const;
}

function readNumber(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}
const writeScalar = (value: unknown) => (typeof value === "number" || typeof value === "string" ? String(value) : "");

/** Number. Other text is kept, and the server reports the error. */
export function NumberControl({ field, value, errors, onChange }: ControlProps) {
  const [text, setTyped] = useTyped(value, readNumber, writeScalar);
  return (
    <Field label={field.label} errors={errors}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          autoComplete="off"
          placeholder="Default"
          value={text}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(readNumber(target.value));
          }}
        />
      )}
    </Field>
  );
}

const DEFAULT = "default";
const labelOf = (option: string | boolean) => (option === true ? "Yes" : option === false ? "No" : option);

/** One of the contract's values, or none. */
export function ChoiceControl({ field, value, errors, onChange }: ControlProps) {
  if (field.kind !== "choice") return null;
  const chosen = field.options.findIndex((option) => option === value);
  return (
    <Field label={field.label} errors={errors}>
      {(control) => (
        <Select
          {...control}
          value={chosen < 0 ? DEFAULT : String(chosen)}
          onValueChange={(index) => onChange(index === DEFAULT ? undefined : field.options[Number(index)])}
          options={[
            { value: DEFAULT, label: "Default" },
            ...field.options.map((option, index) => ({ value: String(index), label: labelOf(option) })),
          ]}
        />
      )}
    </Field>
  );
}

/** Ordered list of slugs. */
export function ListControl({
  field,
  value,
  errors,
  options,
  hint,
  onChange,
}: ControlProps & { options: readonly PickerOption[]; hint?: (entries: readonly string[]) => string | undefined }) {
  const entries = Array.isArray(value) ? (value as string[]) : [];
  return (
    <Field label={field.label} hint={hint?.(entries)} errors={errors}>
      {(control) => (
        <Picker
          {...control}
          value={entries}
          onChange={(next) => onChange(next.length > 0 ? next : undefined)}
          options={options}
          placeholder="None"
        />
      )}
    </Field>
  );
}

/** Slug of a model, with known ones as suggestions. */
export function ModelControl({
  field,
  value,
  errors,
  options,
  onChange,
}: ControlProps & { options: readonly PickerOption[] }) {
  return (
    <Field label={field.label} errors={errors}>
      {(control) => (
        <SuggestedInput
          {...control}
          suggestions={options}
          className="font-mono text-[13px]"
          placeholder="Chosen by the request"
          value={writeScalar(value)}
          onChange={({ target }) => onChange(target.value.trim() || undefined)}
        />
      )}
    </Field>
  );
}

export function PromptControl({ field, value, errors, onChange }: ControlProps) {
  return (
    <Field label={field.label} isLabelHidden errors={errors}>
      {(control) => (
        <Textarea
          {...control}
          rows={5}
          placeholder="You are a helpful assistant."
          value={writeScalar(value)}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
        />
      )}
    </Field>
  );
}

function readJson(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
const writeJson = (value: unknown) =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value, null, 2);

interface JsonControlProps {
  label: string;
  value: unknown;
  errors: readonly string[];
  onChange: (value: unknown) => void;
  minLines?: number;
}

/** JSON value. Invalid text is kept as a string, which the server rejects. */
export function JsonControl({ label, value, errors, onChange, minLines = 4 }: JsonControlProps) {
  const [text, setTyped] = useTyped(value, readJson, writeJson);
  const message = typeof value === "string" ? "Invalid JSON" : errors[0];
  return (
    <CodeEditor
      label={label}
      language="json"
      minLines={minLines}
      value={text}
      problem={message === undefined ? null : { message }}
      onChange={(next) => {
        setTyped(next);
        onChange(readJson(next));
      }}
    />
  );
}

interface OtherFieldsControlProps {
  value: Body;
  onChange: (value: Body) => void;
  onFault: (isFaulty: boolean) => void;
}

/** JSON object of the fields without a control. Invalid text stays in the editor. */
export function OtherFieldsControl({ value, onChange, onFault }: OtherFieldsControlProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const { body, fault } = typed === null || typed.trim() === "" ? { body: {}, fault: null } : parseBody(typed);
  const isCurrent = typed !== null && (body === null || JSON.stringify(body) === JSON.stringify(value));
  const text = isCurrent ? typed : Object.keys(value).length === 0 ? "" : JSON.stringify(value, null, 2);
  return (
    <CodeEditor
      label="Other fields"
      language="json"
      value={text}
      problem={isCurrent && fault !== null ? { message: fault } : null}
      onChange={(next) => {
        setTyped(next);
        const read = next.trim() === "" ? { body: {} } : parseBody(next);
        onFault(read.body === null);
        if (read.body !== null) onChange(read.body);
      }}
    />
  );
}
