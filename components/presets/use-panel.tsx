import { useQueryStates } from "nuqs";
import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { LANGUAGE_TITLES, LANGUAGES } from "@/components/snippets/request-snippets";
import { useOrigin } from "@/lib/browser/use-origin";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { REFERENCES, snippet, type Reference } from "./snippets";

const STATE = {
  code: parseAsStringLiteral(LANGUAGES).withDefault("curl"),
  reference: parseAsStringLiteral(REFERENCES).withDefault("model"),
  target: parseAsString.withDefault(""),
};
const FORMS: Readonly<Record<Reference, { label: string; hint: string }>> = {
  model: { label: "As the model", hint: "The preset provides the model." },
  field: {
    label: "Preset field",
    hint: "The request names a model. All other missing fields come from the preset.",
  },
  suffix: { label: "Model suffix", hint: "Same as the preset field, for clients that can't send custom fields." },
};
const ANY_MODEL = "sandbox/echo";

/** Radix options can't have an empty value. */
const IN_USE = "in-use";

/** Version targets: the live version, a label, or a pinned version. */
function targetsOf({ labels, designated_version: { version } }: PresetWithVersion) {
  return [
    { value: "", label: "Live version", hint: "Always uses the live version." },
    ...Object.entries(labels).map(([label, at]) => ({
      value: `:${label}`,
      label: `Label ${label}`,
      hint: `Uses the version of label ${label}, currently ${at}.`,
    })),
    {
      value: `@${version}`,
      label: `Version ${version} (pinned)`,
      hint: `Always uses version ${version}.`,
    },
  ];
}

/** Code examples for each way to reference a preset. */
export function UsePanel({ preset }: { preset: PresetWithVersion }) {
  const { slug, designated_version } = preset;
  const [{ code, reference, target }, setState] = useQueryStates(STATE);
  const origin = useOrigin();
  const { model } = designated_version.config;
  const targets = targetsOf(preset);
  const chosen = targets.find(({ value }) => value === target) ?? targets[0];
  const options = { origin, slug, target: chosen?.value ?? "", model: typeof model === "string" ? model : ANY_MODEL };
  return (
    <Card
      id="use"
      title="Use in a request"
      description="Requires an inference key of the preset's workspace. Request fields override preset fields."
      className="grid gap-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Segmented
          label="Reference"
          className="flex-wrap"
          value={reference}
          onValueChange={(value) => void setState({ reference: value })}
          options={REFERENCES.map((value) => ({ value, label: FORMS[value].label }))}
        />
        <Select
          aria-label="Target version"
          className="w-52"
          value={chosen?.value || IN_USE}
          onValueChange={(value) => void setState({ target: value === IN_USE ? "" : value })}
          options={targets.map(({ value, label }) => ({ value: value || IN_USE, label }))}
        />
      </div>
      <p aria-live="polite" className="text-[13px] text-muted">
        {FORMS[reference].hint} {chosen?.hint}
      </p>
      <Tabs
        label="Language"
        value={code}
        onChange={(value) => void setState({ code: value })}
        items={LANGUAGES.map((value) => ({ value, label: LANGUAGE_TITLES[value] }))}
      >
        {LANGUAGES.map((language) => (
          <TabPanel key={language} value={language}>
            <CodeBlock label={`${LANGUAGE_TITLES[language]} example`} text={snippet(language, reference, options)} />
          </TabPanel>
        ))}
      </Tabs>
    </Card>
  );
}
