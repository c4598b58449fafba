import { useQueryStates } from "nuqs";
import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { useSyncExternalStore } from "react";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { LANGUAGES, REFERENCES, snippet, type Language, type Reference } from "./snippets";

const STATE = {
  code: parseAsStringLiteral(LANGUAGES).withDefault("curl"),
  reference: parseAsStringLiteral(REFERENCES).withDefault("model"),
  target: parseAsString.withDefault(""),
};
const TITLES: Readonly<Record<Language, string>> = { curl: "curl", typescript: "TypeScript", python: "Python" };
const FORMS: Readonly<Record<Reference, { label: string; hint: string }>> = {
  model: { label: "As the model", hint: "The preset brings the model." },
  field: {
    label: "In its own field",
    hint: "The request names its model; everything else that it leaves out comes from the preset.",
  },
  suffix: { label: "After a model", hint: "The same in one field, for clients that can't send others." },
};
const ANY_MODEL = "sandbox/echo";

const subscribe = () => () => undefined;

/** Radix has no option of an empty value. */
const IN_USE = "in-use";

/** What a request may name: the version in use, one that a label points to, or one for good. */
function targetsOf({ labels, designated_version: { version } }: PresetWithVersion) {
  return [
    { value: "", label: "Version in use", hint: "Follows the version in use." },
    ...Object.entries(labels).map(([label, at]) => ({
      value: `:${label}`,
      label: `Label ${label}`,
      hint: `Follows the label ${label}, now on version ${at}.`,
    })),
    {
      value: `@${version}`,
      label: `Version ${version} for good`,
      hint: `Stays on version ${version} whatever is in use.`,
    },
  ];
}

/** Code to copy, for each way to name a preset. */
export function UsePanel({ preset }: { preset: PresetWithVersion }) {
  const { slug, designated_version } = preset;
  const [{ code, reference, target }, setState] = useQueryStates(STATE);
  const origin = useSyncExternalStore(
    subscribe,
    () => window.location.origin,
    () => "",
  );
  const { model } = designated_version.config;
  const targets = targetsOf(preset);
  const chosen = targets.find(({ value }) => value === target) ?? targets[0];
  const options = { origin, slug, target: chosen?.value ?? "", model: typeof model === "string" ? model : ANY_MODEL };
  return (
    <Card
      id="use"
      title="Use it in a request"
      description="With an inference key of the preset's workspace. Fields of the request win over those of the preset."
      className="grid gap-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Segmented
          label="How the request names the preset"
          className="flex-wrap"
          value={reference}
          onValueChange={(value) => void setState({ reference: value })}
          options={REFERENCES.map((value) => ({ value, label: FORMS[value].label }))}
        />
        <Select
          aria-label="Which version"
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
        items={LANGUAGES.map((value) => ({ value, label: TITLES[value] }))}
      >
        {LANGUAGES.map((language) => (
          <TabPanel key={language} value={language}>
            <CodeBlock label={`${TITLES[language]} example`} text={snippet(language, reference, options)} />
          </TabPanel>
        ))}
      </Tabs>
    </Card>
  );
}
