import type { DecisionException } from "../../records/generations/contract";
import type { Exception } from "./exception";
import type { Layer } from "./layers";

/** True when an exception is active at a time; it expires without any job. */
export const isActive = (
  { createdAt, expiresAt, endedAt }: Pick<Exception, "createdAt" | "expiresAt" | "endedAt">,
  at: Date,
): boolean => createdAt <= at && at < expiresAt && (endedAt === null || at < endedAt);

/** Returns the active exceptions of a key or its creator. */
const heldBy = (
  exceptions: readonly Exception[],
  { keyId, userId }: { keyId: string | null; userId: string | null },
  at: Date,
): Exception[] =>
  exceptions.filter(
    (exception) =>
      isActive(exception, at) && (exception.keyId === null ? exception.userId === userId : exception.keyId === keyId),
  );

/** Adds the matching exceptions to each layer; phrases are added to all layers. */
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

/** Returns the exceptions that raise a layer's limit. */
export const raisesOf = ({ exceptions = [] }: Layer): Exception[] =>
  exceptions.filter(({ kind }) => kind === "raise_limit");

/** Returns the exception that lifts a layer's field, or one of its filters. */
export const liftOf = ({ exceptions = [] }: Layer, field: string, rule: string | null = null): Exception | undefined =>
  exceptions.find(
    (exception) => exception.kind === "lift_rule" && exception.field === field && exception.rule === rule,
  );

/** Returns the exceptions that allow phrases, without duplicates. */
export const phrasesOf = (layers: readonly Layer[]): Exception[] => [
  ...new Map(
    layers
      .flatMap(({ exceptions = [] }) => exceptions.filter(({ kind }) => kind === "allow_phrase"))
      .map((exception) => [exception.id, exception]),
  ).values(),
];

/** Formats an exception for a decision, with the action it prevented. */
export const asDecided = (
  { id, reason, expiresAt }: Exception,
  would: DecisionException["would"],
): { action: "allow"; exception: DecisionException } => ({
  action: "allow",
  exception: { id, reason, expires_at: expiresAt.toISOString(), would },
});
