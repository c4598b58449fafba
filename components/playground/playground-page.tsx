"use client";
import { ChevronDown, KeyRound, MessagesSquare } from "lucide-react";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { DataState } from "@/components/layout/data-state";
import { useCanManageOwnKeys } from "@/components/keys/use-own-key-caps";
import { PageHeader } from "@/components/layout/page-header";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Skeleton } from "@/components/ui/skeleton";
import { toFailure } from "@/lib/browser/api-failure";
import { Composer } from "./composer";
import { SetupPanel } from "./setup-panel";
import { Thread } from "./thread";
import { requestBody } from "./use-conversation";
import { usePlayground, type Playground, type Side } from "./use-playground";

const CreateKeyDialog = lazyComponent(() =>
  import("@/components/keys/create-key-dialog").then((file) => file.CreateKeyDialog),
);
const CopyCodeDialog = lazyComponent(() => import("./copy-code-dialog").then((file) => file.CopyCodeDialog));
const SavePresetDialog = lazyComponent(() => import("./save-preset-dialog").then((file) => file.SavePresetDialog));

/** Sends requests to models under a key's policy and budget, without the key itself. */
export function PlaygroundPage() {
  const playground = usePlayground();
  const [isCreatingKey, setCreatingKey] = useState(false);
  return (
    <>
      <PageHeader
        title="Playground"
        description="Chat with a model or preset under a key’s policy and budget."
        action={playground.chosen && <Actions playground={playground} />}
      />
      <DataState query={playground.keys} subject="keys" skeleton={<Skeleton className="h-120 rounded-lg" />}>
        {() =>
          playground.listed.length === 0 && playground.state.key === null ? (
            <NoKey onCreate={() => setCreatingKey(true)} />
          ) : (
            <Loaded playground={playground} />
          )
        }
      </DataState>
      {/* Outside the empty state, which unmounts as soon as the key is created, while the dialog still shows the key. */}
      {isCreatingKey && (
        <CreateKeyDialog workspace={playground.state.workspace} onClose={() => setCreatingKey(false)} />
      )}
    </>
  );
}

const OUTPUTS = { code: "Copy as code", preset: "Save as preset…" } as const;
type Output = keyof typeof OUTPUTS;

/** Menu to copy a side's request as code or save it as a preset. */
function Actions({ playground }: { playground: Playground }) {
  const canEditPresets = useMay("presets:write");
  const [opened, setOpened] = useState<{ output: Output; side: Side } | null>(null);
  const { chosen, settings, fields, sides, clear, hasTurns } = playground;
  const { systemPrompt } = settings;
  const close = () => setOpened(null);
  return (
    <>
      {hasTurns && <Button onClick={clear}>Clear</Button>}
      <OutputButton output="code" sides={sides} onOpen={setOpened} />
      {canEditPresets && <OutputButton output="preset" sides={sides} onOpen={setOpened} />}
      {opened?.output === "code" && (
        <CopyCodeDialog body={nextRequest(opened.side, systemPrompt, fields)} onClose={close} />
      )}
      {opened?.output === "preset" && chosen && (
        <SavePresetDialog
          model={opened.side.model}
          systemPrompt={systemPrompt}
          fields={fields}
          workspace={chosen.workspace_id}
          onClose={close}
        />
      )}
    </>
  );
}

function nextRequest({ model, conversation }: Side, systemPrompt: string, fields: Playground["fields"]) {
  const { turns } = conversation;
  const request = turns.slice(0, turns.findLastIndex(({ role }) => role !== "assistant") + 1);
  return requestBody(
    { model, systemPrompt, fields },
    request.length > 0 ? request : [{ role: "user", content: "Hello" }],
  );
}

interface OutputButtonProps {
  output: Output;
  sides: readonly Side[];
  onOpen: (opened: { output: Output; side: Side }) => void;
}

/** Asks for the side if two are compared. */
function OutputButton({ output, sides, onOpen }: OutputButtonProps) {
  const [first, ...others] = sides;
  const label = OUTPUTS[output];
  if (!first) return null;
  if (others.length === 0) return <Button onClick={() => onOpen({ output, side: first })}>{label}</Button>;
  return (
    <Menu
      trigger={
        <Button>
          {label} <ChevronDown aria-hidden />
        </Button>
      }
    >
      {sides.map((side, index) => (
        <MenuItem key={index} onSelect={() => onOpen({ output, side })}>
          {index === 0 ? "A" : "B"}: {side.model}
        </MenuItem>
      ))}
    </Menu>
  );
}

function Loaded({ playground }: { playground: Playground }) {
  const { linkFailure, sides, obstacle, isBusy, hasTurns } = playground;
  const isComparing = sides.length > 1;
  const [isSetupOpen, setSetupOpen] = useState(false);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[18rem_minmax(0,1fr)]">
      <section
        aria-label="Setup"
        className="grid gap-4 rounded-lg border bg-surface p-4 lg:sticky lg:top-19 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto"
      >
        <div className="flex items-center gap-3 lg:hidden">
          <Button className="shrink-0" size="sm" aria-expanded={isSetupOpen} onClick={() => setSetupOpen(!isSetupOpen)}>
            {isSetupOpen ? "Hide setup" : "Show setup"}
          </Button>
          <p className="min-w-0 truncate text-[13px] text-muted">
            {[playground.chosen?.name, ...sides.map(({ model }) => model)].filter(Boolean).join(" · ")}
          </p>
        </div>
        <div className={cn(!isSetupOpen && "max-lg:hidden")}>
          <SetupPanel playground={playground} />
        </div>
      </section>
      <div className="grid min-w-0 gap-4">
        {linkFailure && <FailureAlert failure={toFailure(linkFailure)} />}
        {hasTurns ? (
          <div className={cn("grid items-start gap-6", isComparing && "md:grid-cols-2")}>
            {sides.map((side, index) => (
              <div key={index} className="grid min-w-0 gap-3">
                {isComparing && (
                  <h2 className="font-mono text-[13px] font-medium wrap-anywhere">
                    {index === 0 ? "A" : "B"}: {side.model}
                  </h2>
                )}
                <Thread
                  title={side.model}
                  conversation={side.conversation}
                  systemPrompt={playground.settings.systemPrompt}
                  isWide={!isComparing}
                  canSend={obstacle === null}
                  onEdit={playground.edit}
                  onRetry={() => playground.retry(side)}
                  onResults={(results) => playground.answerCalls(side, results)}
                />
              </div>
            ))}
          </div>
        ) : (
          <EmptyState icon={MessagesSquare} title="Send a first message">
            Each answer shows its policy decisions, cost and duration.
          </EmptyState>
        )}
        <div className="lg:sticky lg:bottom-3">
          <Composer isBusy={isBusy} obstacle={obstacle} onSend={playground.send} onStop={playground.stop} />
        </div>
      </div>
    </div>
  );
}

function NoKey({ onCreate }: { onCreate: () => void }) {
  const canCreate = useCanManageOwnKeys();
  return (
    <EmptyState
      icon={KeyRound}
      title="No inference key yet"
      action={
        canCreate && (
          <Button variant="primary" onClick={onCreate}>
            Create key
          </Button>
        )
      }
    >
      {canCreate
        ? "Requests of the playground are sent under a key’s policy and charged to its budget."
        : "Ask an admin of your organization for an inference key. It then appears here."}
    </EmptyState>
  );
}
