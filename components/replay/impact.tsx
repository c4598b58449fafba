import { useId, useState, type SubmitEvent } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Progress } from "@/components/ui/progress";
import { Reveal } from "@/components/ui/reveal";
import { Select } from "@/components/ui/select";
import { amount } from "./change-labels";
import { ImpactResult } from "./impact-result";
import { useReplay, type ReplayRequest } from "./use-replay";

const HOUR_MS = 60 * 60_000;
const ROWS_AT_ONCE = 100;
const MOST = 10_000;

const SELECTIONS = [
  { value: "100", label: "Newest 100 requests" },
  { value: "500", label: "Newest 500 requests" },
  { value: "2000", label: "Newest 2,000 requests" },
  { value: "day", label: "Last 24 hours" },
  { value: "week", label: "Last 7 days" },
] as const;
type Selection = (typeof SELECTIONS)[number]["value"];

const HOURS: Partial<Record<Selection, number>> = { day: 24, week: 7 * 24 };

function selectionOf(chosen: Selection, words: string): ReplayRequest["selection"] {
  const hours = HOURS[chosen];
  const bounds =
    hours === undefined
      ? { last: Number(chosen) }
      : { last: MOST, from: new Date(Date.now() - hours * HOUR_MS).toISOString() };
  return { ...bounds, ...(words.trim() && { filters: { q: words.trim() } }) };
}

export function Impact({ guardrail }: { guardrail: ReplayRequest["guardrail"] }) {
  const [chosen, setChosen] = useState<Selection>("500");
  const [words, setWords] = useState("");
  const { request, progress, result, failure, run, more, cancel } = useReplay();
  const wordsId = useId();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    run({ guardrail, selection: selectionOf(chosen, words), limit: ROWS_AT_ONCE });
  };
  const isOutdated = request !== null && JSON.stringify(request.guardrail) !== JSON.stringify(guardrail);
  return (
    <div className="grid gap-3">
      <form className="grid gap-3" onSubmit={submit}>
        <Select aria-label="Recorded requests" value={chosen} onValueChange={setChosen} options={SELECTIONS} />
        <div className="grid gap-1.5">
          <label htmlFor={wordsId} className="text-[13px] font-medium">
            Filter by text
          </label>
          <Input
            id={wordsId}
            value={words}
            maxLength={500}
            autoComplete="off"
            placeholder="Any"
            onChange={({ target }) => setWords(target.value)}
          />
        </div>
        {/* One button for both, so that it keeps focus. After a press on Cancel, it becomes the submit button again. */}
        <Button
          type={progress === null ? "submit" : "button"}
          className="justify-self-start"
          onClick={(event) => {
            if (progress === null) return;
            event.preventDefault();
            cancel();
          }}
        >
          {progress !== null ? "Cancel" : result ? "Run again" : "Run"}
        </Button>
      </form>
      {progress !== null && <Running progress={progress} />}
      {failure && <FailureAlert failure={failure} />}
      {result && (
        <Reveal>
          {isOutdated && <p className="text-[13px] text-warning">The draft changed since this run.</p>}
          <ImpactResult result={result} onMore={more} isBusy={progress !== null} />
        </Reveal>
      )}
    </div>
  );
}

function Running({ progress }: { progress: NonNullable<ReturnType<typeof useReplay>["progress"]> }) {
  const [done, of] =
    progress === "begun" ? [null, 1] : [progress.evaluated + progress.not_evaluable, progress.selected];
  return (
    <div className="grid gap-1.5">
      <Progress label="Requests evaluated" value={done} max={of} />
      <p className="text-[13px] text-muted tabular-nums">
        {done === null ? "Starting…" : `${amount(done, "request")} of ${of.toLocaleString("en")} evaluated`}
      </p>
    </div>
  );
}
