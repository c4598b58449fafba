import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { sessionQuery } from "@/components/session/session-queries";
import { keyQuery } from "@/components/keys/key-queries";
import type { Key } from "@/lib/records/keys/contract";
import { beforeLastAnswer, beforeUserTurn, type Turn } from "./conversation";
import { rememberKey, useLastKey } from "./last-key";
import { modelOptionsQuery, usableKeysQuery } from "./playground-queries";
import { useKeyOwner } from "./use-key-owner";
import { useHandedDraft } from "./guardrail-draft";
import { PLAYGROUND_STATE } from "./playground-state";
import { NO_SETTINGS, readSettings, type Settings } from "./settings";
import { useConversation, type Conversation, type RequestOptions } from "./use-conversation";

const SANDBOX = "sandbox/";
const ANY_MODEL = "sandbox/echo";

export interface Side {
  model: string;
  conversation: Conversation;
}

/** State of the playground: choices in the URL, settings and conversations on the page. */
export function usePlayground() {
  const [state, setState] = useQueryStates(PLAYGROUND_STATE);
  const keys = useQuery(usableKeysQuery(state.workspace, useKeyOwner()));
  const listed = keys.data?.data ?? [];
  const isListed = state.key === null || listed.some(({ hash }) => hash === state.key);
  const linked = useQuery({
    ...keyQuery(state.key ?? ""),
    enabled: keys.isSuccess && state.key !== null && !isListed,
    retry: false,
  });
  const userId = useQuery(sessionQuery).data?.user.id;
  const last = useLastKey(userId, {
    workspace: state.workspace,
    listed,
    isNeeded: keys.isSuccess && state.key === null,
  });
  const preselected = last === undefined ? null : (last ?? listed[0] ?? null);
  const chosen: Key | null =
    listed.find(({ hash }) => hash === state.key) ?? linked.data?.data ?? (state.key === null ? preselected : null);
  const models = useQuery(modelOptionsQuery).data?.data ?? [];
  const model = state.model ?? (models.find(({ slug }) => !slug.startsWith(SANDBOX)) ?? models[0])?.slug ?? ANY_MODEL;
  const [settings, setSettings] = useState<Settings>(NO_SETTINGS);
  const { fields, problems } = readSettings(settings);
  const handed = useHandedDraft(state.draft);
  const restore = (systemPrompt: string) => setSettings((before) => ({ ...before, systemPrompt }));
  const [first, second] = [useConversation(userId, "a", restore), useConversation(userId, "b", restore)];
  const sides: readonly Side[] = [
    { model, conversation: first },
    ...(state.compare === null ? [] : [{ model: state.compare, conversation: second }]),
  ];
  const optionsOf = (named: string): RequestOptions => ({
    keyHash: chosen?.hash ?? "",
    guardrailId: state.guardrail,
    draft: handed === null || handed === "gone" ? undefined : handed.draft,
    model: named,
    systemPrompt: settings.systemPrompt,
    fields,
  });
  const ask = ({ model: named, conversation }: Side, turns: readonly Turn[]) => {
    if (chosen) rememberKey(userId, chosen.hash);
    conversation.ask(turns, optionsOf(named));
  };
  const obstacle = !chosen
    ? "Choose a key to send requests."
    : handed === "gone"
      ? "Remove the draft to send requests."
      : sides.some((side) => side.model.trim() === "")
        ? "Choose a model to send requests."
        : Object.keys(problems).length > 0
          ? "Correct the settings to send requests."
          : null;
  return {
    state,
    set: (change: Partial<typeof state>) => void setState(change),
    keys,
    listed: chosen && !listed.includes(chosen) ? [chosen, ...listed] : listed,
    chosen,
    linkFailure: linked.error,
    model,
    handed,
    settings,
    setSettings,
    fields,
    problems,
    obstacle,
    sides,
    isBusy: sides.some(({ conversation }) => conversation.isBusy),
    hasTurns: sides.some(({ conversation }) => conversation.turns.length > 0),
    send: (content: string) =>
      sides.forEach((side) => ask(side, [...side.conversation.turns, { role: "user", content }])),
    /** Replaces a user message on every side and drops later turns. */
    edit: (number: number, content: string) =>
      sides.forEach((side) =>
        ask(side, [...beforeUserTurn(side.conversation.turns, number), { role: "user", content }]),
      ),
    retry: (side: Side) => ask(side, beforeLastAnswer(side.conversation.turns)),
    answerCalls: (side: Side, results: readonly Turn[]) => ask(side, [...side.conversation.turns, ...results]),
    stop: () => sides.forEach(({ conversation }) => conversation.stop()),
    clear: () => [first, second].forEach((conversation) => conversation.clear()),
  };
}

export type Playground = ReturnType<typeof usePlayground>;
