"use client";
import { useState } from "react";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { ChipsInput } from "@/components/ui/chips-input";
import { Input, Textarea } from "@/components/ui/input";
import { Kbd } from "@/components/ui/kbd";
import { Picker } from "@/components/ui/picker";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { TabPanel, Tabs } from "@/components/ui/tabs";

const FEW = [
  { value: "off", label: "Off" },
  { value: "flag", label: "Flag" },
  { value: "redact", label: "Redact" },
  { value: "block", label: "Block" },
] as const;

const MANY = ["anthropic", "google", "mistralai", "openai"].flatMap((group) =>
  Array.from({ length: 80 }, (_, index) => ({ value: `${group}/model-${index}`, group })),
);

export function ControlSamples() {
  const [action, setAction] = useState<(typeof FEW)[number]["value"]>("flag");
  const [isOn, setOn] = useState(true);
  const [chips, setChips] = useState(["one", "two"]);
  const [picked, setPicked] = useState(["openai/model-1", "acme/unheard-of"]);
  const [tab, setTab] = useState("first");
  return (
    <Card id="controls" title="Controls" className="grid gap-4">
      <div className="grid gap-3 sm:grid-cols-2">
        <Input aria-label="Text" placeholder="Text" />
        <Input aria-label="Wrong text" aria-invalid defaultValue="wrong" />
        <Input aria-label="Disabled text" disabled defaultValue="disabled" />
        <Select aria-label="Choice" value={action} onValueChange={setAction} options={FEW} />
        <Textarea aria-label="Long text" placeholder="Long text" />
        <ChipsInput id="chips" value={chips} onChange={setChips} invalid={[1]} aria-describedby="chips-hint" />
        <label id="chips-hint" htmlFor="chips" className="text-[13px] text-muted">
          Chips, one invalid
        </label>
      </div>
      <Picker aria-label="Models" value={picked} onChange={setPicked} options={MANY} />
      <div className="flex flex-wrap items-center gap-4">
        <Segmented label="Action" value={action} onValueChange={setAction} options={FEW} />
        <Switch aria-label="Switch" checked={isOn} onChange={setOn} />
        <Checkbox label="On" checked={isOn} onChange={setOn} />
        <Checkbox label="Partly" checked="indeterminate" onChange={setOn} />
        <Checkbox label="Disabled" checked={false} disabled onChange={setOn} />
        <span className="flex items-center gap-1">
          <Kbd>Ctrl</Kbd> <Kbd>K</Kbd>
        </span>
      </div>
      <Tabs
        label="Views"
        value={tab}
        onChange={setTab}
        items={[
          { value: "first", label: "First" },
          { value: "second", label: "Second", count: 12 },
        ]}
      >
        <TabPanel value="first">The first view</TabPanel>
        <TabPanel value="second">The second view</TabPanel>
      </Tabs>
    </Card>
  );
}
