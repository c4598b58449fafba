import { parseAsBoolean, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useId, useSyncExternalStore } from "react";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Segmented } from "@/components/ui/segmented";
import { Switch } from "@/components/ui/switch";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import type { PresetWithVersion } from "@/lib/presets/contract";
import { LANGUAGES, REFERENCES, snippet, type Language, type Reference } from "./snippets";

const STATE = {
  code: parseAsStringLiteral(LANGUAGES).withDefault("curl"),
  reference: parseAsStringLiteral(REFERENCES).withDefault("model"),
  pinned: parseAsBoolean.withDefault(false),
};
const TITLES: Readonly<Record<Language, string>> = { curl: "curl", typescript: "TypeScript", python: "Python" };
const FORMS: Readonly<Record<Reference, { label: string; hint: string }>> = {
  model: { label: "As the model", hint: "The preset brings the model." },
  field: { label: "In its own field", hint: "The request names its model; everything else that it leaves out comes from the preset." },
  suffix: { label: "After a model", hint: "The same in one field, for clients that can't send others." },
};
const ANY_MODEL = "sandbox/echo";

const subscribe = () => () => undefined;

/** Code to copy, for each way to name a preset. */
export function UsePanel({ preset: { slug, designated_version } }: { preset: PresetWithVersion }) {
  const pinId = useId();
  const [{ code, reference, pinned }, setState] = useQueryStates(STATE);
  const origin = useSyncExternalStore(subscribe, () => window.location.origin, () => "");
  const { model } = designated_version.config;
  const options = { origin, slug, version: pinned ? designated_version.version : null, model: typeof model === "string" ? model : ANY_MODEL };
  return (
    <Card id="use" title="Use it in a request" description="With an inference key of the preset's workspace. Fields of the request win over those of the preset." className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Segmented
          label="How the request names the preset"
          className="flex-wrap"
          value={reference}
          onValueChange={(value) => void setState({ reference: value })}
          options={REFERENCES.map((value) => ({ value, label: FORMS[value].label }))}
        />
        <span className="flex items-center gap-2">
          <Switch id={pinId} checked={pinned} onCheckedChange={(value) => void setState({ pinned: value })} />
          <label htmlFor={pinId} className="text-[13px] font-medium">
            Pin version {designated_version.version}
          </label>
        </span>
      </div>
      <p aria-live="polite" className="text-[13px] text-muted">
        {FORMS[reference].hint} {pinned ? `Stays on version ${designated_version.version} whatever is in use.` : "Follows the version in use."}
      </p>
      <Tabs label="Language" value={code} onChange={(value) => void setState({ code: value })} items={LANGUAGES.map((value) => ({ value, label: TITLES[value] }))}>
        {LANGUAGES.map((language) => (
          <TabPanel key={language} value={language}>
            <CodeBlock label={`${TITLES[language]} example`} text={snippet(language, reference, options)} />
          </TabPanel>
        ))}
      </Tabs>
    </Card>
  );
}
