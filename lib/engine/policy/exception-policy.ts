import type { DecisionException } from "../../records/generations/contract";
import type { Exception } from "./exception";
import type { Layer } from "./layers";

/** Whether it holds at a time: nothing has to run for it to end. */
export const isActive = (
  { createdAt, expiresAt, endedAt }: Pick<Exception, "createdAt" | "expiresAt" | "endedAt">,
  at: Date,
): boolean => createdAt <= at && at < expiresAt && (endedAt === null || at < endedAt);

/** Those of a key or of the member who created it that hold at a time. */
const heldBy = (
  exceptions: readonly Exception[],
  { keyId, userId }: { keyId: string | null; userId: string | null },
  at: Date,
): Exception[] =>
  exceptions.filter(
    (exception) =>
      isActive(exception, at) && (exception.keyId === null ? exception.userId === userId : exception.keyId === keyId),
  );

/** The layers with what is excepted from each: of its guardrail, and phrases, which concern all. */
export function withExceptions(
  layers: readonly Layer[],
  all: readonly Exception[],
  who: { keyId: string | null; userId: string | null },
  at: Date,
): Layer[] {
  const held = heldBy(all, who, at);
  return layers.map((layer) => {
    const exceptions = held.filter(({ kind, guardrailId }) =>
      guardrailId === null ? kind === "allow_phrase" : guardrailId === layer.guardrail.id,
    );
    return exceptions.length > 0 ? { ...layer, exceptions } : layer;
  });
}

/** Those that raise a layer's limit. */
export const raisesOf = ({ exceptions = [] }: Layer): Exception[] =>
  exceptions.filter(({ kind }) => kind === "raise_limit");

/** The one that lifts a field of a layer, or one filter in it; none when nothing does. */
export const liftOf = ({ exceptions = [] }: Layer, field: string, rule: string | null = null): Exception | undefined =>
  exceptions.find(
    (exception) => exception.kind === "lift_rule" && exception.field === field && exception.rule === rule,
  );

/** Those that allow a phrase, each once. */
export const phrasesOf = (layers: readonly Layer[]): Exception[] => [
  ...new Map(
    layers
      .flatMap(({ exceptions = [] }) => exceptions.filter(({ kind }) => kind === "allow_phrase"))
      .map((exception) => [exception.id, exception]),
  ).values(),
];

/** As a decision names it: what would have been done without it. */
export const asDecided = (
  { id, reason, expiresAt }: Exception,
  would: DecisionException["would"],
): { action: "allow"; exception: DecisionException } => ({
  action: "allow",
  exception: { id, reason, expires_at: expiresAt.toISOString(), would },
});
