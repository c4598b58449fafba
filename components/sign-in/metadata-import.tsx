"use client";
import { Upload } from "lucide-react";
import { useRef, useState, type ChangeEvent } from "react";
import type { z } from "zod";
import { FailureAlert } from "@/components/form/failure-alert";
import { Field } from "@/components/form/field";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/input";
import { toFailure } from "@/lib/browser/api-failure";
import type { SamlMetadata } from "@/lib/records/sign-in-connections/contract";
import { MAX_MESSAGE_BYTES } from "@/lib/records/sign-in-connections/vocabulary";
import { useReadMetadata } from "./connection-queries";

const TOO_LARGE = `The file is larger than ${MAX_MESSAGE_BYTES / 1024} kB`;

interface MetadataImportProps {
  onRead: (metadata: z.output<typeof SamlMetadata>) => void;
}

/** Reads the provider's metadata, pasted or uploaded, into the fields below. */
export function MetadataImport({ onRead }: MetadataImportProps) {
  const reading = useReadMetadata();
  const [text, setText] = useState("");
  const [isTooLarge, setTooLarge] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const read = (metadata: string) => reading.mutate(metadata, { onSuccess: ({ data }) => onRead(data) });
  const upload = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = target.files?.[0];
    if (!chosen) return;
    setTooLarge(chosen.size > MAX_MESSAGE_BYTES);
    if (chosen.size <= MAX_MESSAGE_BYTES) {
      const content = await chosen.text();
      setText(content);
      read(content);
    }
    target.value = "";
  };
  return (
    <div role="group" aria-label="Metadata" className="grid gap-3">
      <Field
        label="Provider’s metadata"
        hint="Paste the XML document, or upload it. It fills in the settings below."
        errors={isTooLarge ? [TOO_LARGE] : []}
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            rows={4}
            spellCheck={false}
            className="max-h-64 font-mono text-[13px]"
            placeholder="<EntityDescriptor …"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button disabled={text.trim() === "" || reading.isPending} onClick={() => read(text)}>
          Read metadata
        </Button>
        <Button disabled={reading.isPending} onClick={() => file.current?.click()}>
          <Upload aria-hidden /> Upload file…
        </Button>
        <input
          ref={file}
          type="file"
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          aria-label="Metadata file"
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => void upload(event)}
        />
      </div>
      {reading.error && <FailureAlert failure={toFailure(reading.error)} />}
      {reading.isSuccess && (
        <Alert kind="info" title="Metadata read">
          Check the settings below, and save them.
        </Alert>
      )}
    </div>
  );
}
