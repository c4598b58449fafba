import { Field } from "@/components/form/field";
import { FoldedFields } from "@/components/form/folded-fields";
import { Button } from "@/components/ui/button";
import { CodeEditor } from "@/components/ui/code-editor";
import { Input, Textarea } from "@/components/ui/input";
import { EXAMPLE_SCHEMA, EXAMPLE_TOOLS, type Problems, type Settings } from "./settings";

const NUMBERS = [
  { setting: "temperature", label: "Temperature", mode: "decimal" },
  { setting: "topP", label: "Top P", mode: "decimal" },
  { setting: "maxTokens", label: "Max output tokens", mode: "numeric" },
] as const;

const DOCUMENTS = [
  { setting: "tools", label: "Tools", hint: "A JSON array of function tools.", example: EXAMPLE_TOOLS },
  { setting: "schema", label: "JSON Schema of the answer", hint: "Blank for text.", example: EXAMPLE_SCHEMA },
] as const;

interface SettingsPanelProps {
  settings: Settings;
  problems: Problems;
  onChange: (settings: Settings) => void;
}

/** Settings of the next request. Blank fields are left to the preset or the model. */
export function SettingsPanel({ settings, problems, onChange }: SettingsPanelProps) {
  const set = (setting: keyof Settings) => (value: string) => onChange({ ...settings, [setting]: value });
  const numbers = NUMBERS.filter(({ setting }) => settings[setting].trim() !== "");
  return (
    <div className="grid gap-4">
      <Field label="System prompt" errors={[]}>
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            value={settings.systemPrompt}
            placeholder="You are a helpful assistant."
            onChange={({ target }) => set("systemPrompt")(target.value)}
          />
        )}
      </Field>
      <FoldedFields
        title="Parameters"
        summary={numbers.map(({ setting, label }) => `${label} ${settings[setting]}`).join(", ") || "default"}
        hasError={NUMBERS.some(({ setting }) => problems[setting])}
      >
        <div className="grid grid-cols-2 items-start gap-3">
          {NUMBERS.map(({ setting, label, mode }) => (
            <Field key={setting} label={label} errors={problems[setting] ? [problems[setting]] : []}>
              {(control) => (
                <Input
                  {...control}
                  inputMode={mode}
                  autoComplete="off"
                  placeholder="Default"
                  value={settings[setting]}
                  onChange={({ target }) => set(setting)(target.value)}
                />
              )}
            </Field>
          ))}
        </div>
      </FoldedFields>
      {DOCUMENTS.map(({ setting, label, hint, example }) => (
        <details
          key={setting}
          className="group rounded-md border px-3 py-2"
          open={problems[setting] !== undefined || undefined}
        >
          <summary className="cursor-pointer text-[13px] font-medium">
            {label}
            {settings[setting].trim() !== "" && <span className="font-normal text-muted"> · set</span>}
          </summary>
          <div className="mt-2 grid gap-2">
            <CodeEditor
              label={label}
              language="json"
              value={settings[setting]}
              onChange={set(setting)}
              problem={problems[setting] ? { message: problems[setting] } : null}
              minLines={6}
            />
            <p className="text-[13px] text-muted">{hint}</p>
            {settings[setting] === "" && (
              <Button size="sm" className="justify-self-start" onClick={() => set(setting)(example)}>
                Insert example
              </Button>
            )}
          </div>
        </details>
      ))}
    </div>
  );
}
