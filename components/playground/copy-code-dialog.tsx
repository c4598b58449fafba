"use client";
import { useState } from "react";
import { LANGUAGE_TITLES, LANGUAGES, requestSnippet, type Language } from "@/components/snippets/request-snippets";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { useOrigin } from "@/lib/browser/use-origin";

interface CopyCodeDialogProps {
  body: Readonly<Record<string, unknown>>;
  onClose: () => void;
}

/** The conversation's next request as code, with the key read from the environment. */
export function CopyCodeDialog({ body, onClose }: CopyCodeDialogProps) {
  const [language, setLanguage] = useState<Language>("curl");
  const origin = useOrigin();
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Copy as code"
      description={`Base URL ${origin}/v1. Export an inference key as SIGNALBOX_API_KEY first.`}
      className="max-w-2xl"
    >
      <Tabs
        label="Language"
        value={language}
        onChange={setLanguage}
        items={LANGUAGES.map((value) => ({ value, label: LANGUAGE_TITLES[value] }))}
      >
        {LANGUAGES.map((value) => (
          <TabPanel key={value} value={value}>
            <CodeBlock
              label={`${LANGUAGE_TITLES[value]} code`}
              text={requestSnippet(value, { origin, key: null, api: "chat_completions", body })}
            />
          </TabPanel>
        ))}
      </Tabs>
    </Dialog>
  );
}
