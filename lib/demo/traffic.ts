import { listGenerations } from "../records/generations/contract";
import { createChatCompletion, createResponse } from "../gateway/contract";
import { rotateKey } from "../records/keys/contract";
import { connect, type Api } from "./api";
import type { Organization } from "./organization";
import { pick, randomFrom } from "./random";
import { TEAMS, type Team } from "./teams";

const CONVERSATIONS = 15;
const MOST_TURNS = 6;
/** Models per turn: one in ten fails, and three in ten are streamed. */
const MODELS = [
  "sandbox/echo",
  "sandbox/echo",
  "sandbox/echo",
  "sandbox/echo",
  "sandbox/echo",
  "sandbox/echo",
  "sandbox/reasoner",
  "sandbox/reasoner",
  "sandbox/reasoner",
  "sandbox/unavailable",
] as const;
const STREAMED_SHARE = 0.3;

interface Turn {
  model: string;
  prompt: string;
  isStreamed: boolean;
  isChat: boolean;
}

interface Conversation {
  sessionId: string;
  team: Team;
  keyName: string;
  customer: string;
  turns: Turn[];
}

/** Deterministic sample conversations. */
export const conversations: readonly Conversation[] = Array.from({ length: CONVERSATIONS }, (_, index) => {
  const random = randomFrom(index + 1);
  const team = pick(random, TEAMS);
  const turns = Array.from({ length: 2 + Math.floor(random() * (MOST_TURNS - 1)) }, () => ({
    model: pick(random, MODELS),
    prompt: pick(random, team.exchanges).prompt,
    isStreamed: random() < STREAMED_SHARE,
    isChat: random() < 0.5,
  }));
  const customer = `customer-${1000 + Math.floor(random() * 9000)}`;
  return {
    sessionId: `demo-${String(index + 1).padStart(4, "0")}`,
    team,
    keyName: pick(random, team.keys).name,
    customer,
    turns,
  };
});

export interface Sent {
  succeeded: number;
  failed: number;
}

/** Sends conversations that the install doesn't have yet. */
export async function sendTraffic(
  api: Api,
  url: string,
  { keys }: Organization,
  progress: (sent: number) => void,
): Promise<Sent> {
  const sent: Sent = { succeeded: 0, failed: 0 };
  const opened = new Map<string, Api>();
  for (const conversation of conversations) {
    const { data: known } = await api.call(listGenerations, {
      query: { session_id: conversation.sessionId, limit: "100" },
    });
    const missing = conversation.turns.slice(known.length);
    const key = keys.get(conversation.keyName);
    if (missing.length === 0 || !key) continue;
    let caller = opened.get(conversation.keyName);
    if (!caller)
      opened.set(conversation.keyName, (caller = connect(url, key.text ?? (await renewText(api, key.hash)))));
    for (const turn of missing) {
      const response = await speak(caller, conversation, turn);
      sent[response.ok ? "succeeded" : "failed"]++;
    }
    progress(sent.succeeded + sent.failed);
  }
  return sent;
}

/** Rotates keys whose text was lost by an interrupted run. */
async function renewText(api: Api, hash: string): Promise<string> {
  const { key } = await api.call(rotateKey, { params: { hash }, body: {} });
  return key;
}

function speak(
  caller: Api,
  { team, sessionId, customer }: Conversation,
  { model, prompt, isStreamed, isChat }: Turn,
): Promise<Response> {
  const headers = { "http-referer": team.app.referer, "x-title": team.app.title };
  const common = { model, stream: isStreamed, session_id: sessionId, user: customer };
  return isChat
    ? caller.send(createChatCompletion, {
        headers,
        body: {
          ...common,
          messages: [
            { role: "system", content: team.instructions },
            { role: "user", content: prompt },
          ],
        },
      })
    : caller.send(createResponse, { headers, body: { ...common, instructions: team.instructions, input: prompt } });
}
