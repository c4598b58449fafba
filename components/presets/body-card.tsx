import { Button } from "@/components/ui/button";
import { Alert } from "@/components/ui/alert";
import { Card } from "@/components/ui/card";
import { CodeEditor } from "@/components/ui/code-editor";
import { Segmented } from "@/components/ui/segmented";
import { BodyForm } from "./body-form";
import { bodyOf, type NewVersion } from "./use-new-version";

const VIEWS = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
] as const;
export type BodyView = (typeof VIEWS)[number]["value"];

const FORMATS = [
  { value: "responses", label: "Responses" },
  { value: "chat_completions", label: "Chat Completions" },
  { value: "messages", label: "Messages" },
] as const;

const EXAMPLE = JSON.stringify(
  {
    model: "sandbox/echo",
    instructions: "Answer in one sentence.",
    temperature: 0.2,
    max_output_tokens: 300,
    input: "What is a preset?",
  },
  null,
  2,
);

interface BodyCardProps {
  draft: NewVersion;
  view: BodyView;
  onView: (view: BodyView) => void;
}

/** The version's settings as a form or as the JSON of a request body. Both edit the same text. */
export function BodyCard({ draft, view, onView }: BodyCardProps) {
  const { text, format, form } = draft;
  const show = (next: BodyView) => {
    form.setFaulty(false);
    onView(next);
  };
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented label="Editor" value={view} onValueChange={show} options={VIEWS} />
        {view === "json" && (
          <Segmented label="Format" value={format.value} onValueChange={format.set} options={FORMATS} />
        )}
      </div>
      {view === "json" ? <JsonBody draft={draft} /> : <FormBody draft={draft} onJson={() => onView("json")} />}
      {text.value === "" && view === "json" && (
        <Button size="sm" className="justify-self-start" onClick={() => text.set(EXAMPLE)}>
          Insert example
        </Button>
      )}
    </div>
  );
}

function JsonBody({ draft: { text, format } }: { draft: NewVersion }) {
  return (
    <Card
      id="body"
      title="Request body"
      description={
        format.isDetected ? "Format detected automatically. Change it if it's wrong." : "Format set manually."
      }
    >
      <CodeEditor
        label="Request body"
        language="json"
        value={text.value}
        onChange={text.set}
        problem={text.problem}
        minLines={14}
      />
    </Card>
  );
}

/** The form needs a Responses body. Others are converted on request, because only stored fields survive. */
function FormBody({ draft, onJson }: { draft: NewVersion; onJson: () => void }) {
  const { form, format, preview, text } = draft;
  const stored = preview?.data?.data;
  if (form.body === null) {
    return (
      <Alert
        kind="warning"
        title="The request body isn’t valid JSON"
        action={
          <Button size="sm" onClick={onJson}>
            Edit as JSON
          </Button>
        }
      >
        Correct it to edit it in the form.
      </Alert>
    );
  }
  if (format.value !== "responses") {
    return (
      <Alert
        kind="info"
        title={`This is a ${FORMATS.find(({ value }) => value === format.value)?.label ?? ""} body`}
        action={
          <Button
            size="sm"
            disabled={!stored}
            onClick={() => {
              if (!stored) return;
              text.set(bodyOf(stored.designated_version));
              format.set("responses");
            }}
          >
            Convert to Responses
          </Button>
        }
      >
        The form edits Responses bodies. Converting keeps the fields that the preview lists as stored.
      </Alert>
    );
  }
  return <BodyForm body={form.body} issues={form.issues} onChange={form.set} onFault={form.setFaulty} />;
}
