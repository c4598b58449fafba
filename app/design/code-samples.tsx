"use client";
import { useState } from "react";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CodeEditor } from "@/components/ui/code-editor";
import { DiffView } from "@/components/ui/diff-view";
import { HighlightedText } from "@/components/ui/highlighted-text";
import { Markdown } from "@/components/ui/markdown";
import { TextDiff } from "@/components/ui/text-diff";

const BEFORE = {
  name: "Production",
  limit_usd: 10,
  allowed_models: ["openai/gpt-5", "mistralai/small"],
  content_filters: [{ slug: "email", action: "flag" }],
  description: null,
};
const AFTER = {
  name: "Production",
  limit_usd: 25,
  allowed_models: ["openai/gpt-5", "google/gemini"],
  content_filters: [{ slug: "email", action: "redact" }],
  description: "For customers",
};

const MARKDOWN = `## Answer

Some **bold**, \`code\` and a [link](https://example.com). ![A cat](https://example.com/cat.png) [bad](javascript:alert(1))

- one
- two

| a | b |
|---|---|
| 1 | 2 |

\`\`\`
const x = 1;
\`\`\``;

export function CodeSamples() {
  const [json, setJson] = useState(JSON.stringify(AFTER, null, 2));
  const [pattern, setPattern] = useState(String.raw`\b(?:sk|pk)-[a-z0-9]{20,}(`);
  return (
    <Card id="texts" title="Texts" className="grid gap-4">
      <CodeEditor label="Configuration" language="json" value={json} onChange={setJson} />
      <CodeEditor
        label="Pattern"
        language="regex"
        minLines={1}
        value={pattern}
        onChange={setPattern}
        problem={
          pattern.endsWith("(") ? { message: "missing closing )", from: pattern.length - 1, to: pattern.length } : null
        }
      />
      <CodeBlock label="Answer" text={'{ "ok": true }'} />
      <DiffView
        before={BEFORE}
        after={AFTER}
        beforeLabel="Revision 3"
        afterLabel="Revision 4"
        labels={{ limit_usd: "Limit" }}
      />
      <TextDiff
        before={"You are helpful.\nAnswer briefly.\nNever swear."}
        after={"You are helpful.\nAnswer in one sentence.\nNever swear.\nBe kind."}
        beforeLabel="Version 1"
        afterLabel="Version 2"
      />
      <HighlightedText
        text="Write to ann@example.com about the secret project."
        spans={[
          { start: 9, end: 24, label: "email", tone: "warning" },
          { start: 35, end: 41, label: "blocked", tone: "danger" },
        ]}
      />
      <Markdown text={MARKDOWN} />
    </Card>
  );
}
