import type { DecisionException } from "../decision/contract";
import type { Exception } from "./exception";
import type { Layer } from "./layers";

/** True when an exception is active at a time; it expires without any job. */
export const isActive = (
  { createdAt, expiresAt, endedAt }: Pick<Exception, "createdAt" | "expiresAt" | "endedAt">,
  at: Date,
): boolean => createdAt <= at && at < expiresAt && (endedAt === null || at < endedAt);

/**
 * Returns a function from time to a value that depends on the active exceptions. The value is computed again when an
 * exception starts or ends.
 */
export function whileActive<T>(
  exceptions: readonly Exception[],
  make: (active: readonly Exception[]) => T,
): (at: Date) => T {
  let last = { ids: "", value: make([]) };
  return (at) => {
    const active = exceptions.filter((exception) => isActive(exception, at));
    const ids = active.map(({ id }) => id).join(" ");
    if (ids !== last.ids) last = { ids, value: make(active) };
    return last.value;
  };
}

interface Holder {
  keyId: string | null;
  userId: string | null;
}

/** True for an exception of a key or its creator. */
const isHeldBy = (exception: Exception, { keyId, userId }: Holder): boolean =>
  exception.keyId === null ? exception.userId === userId : exception.keyId === keyId;

/** Adds the matching exceptions to each layer; phrases are added to all layers. */
const withExceptions = (layers: readonly Layer[], held: readonly Exception[]): readonly Layer[] =>
  held.length === 0
    ? layers
    : layers.map((layer) => {
        const exceptions = held.filter(({ kind, guardrailId }) =>
          guardrailId === null ? kind === "allow_phrase" : guardrailId === layer.guardrail.id,
        );
        return exceptions.length > 0 ? { ...layer, exceptions } : layer;
      });

/** Compiles guardrails and exceptions to the layers of a key or member at any time. */
export const layersAt = (
  layers: readonly Layer[],
  exceptions: readonly Exception[],
  who: Holder,
): ((at: Date) => readonly Layer[]) =>
  whileActive(
    exceptions.filter((exception) => isHeldBy(exception, who)),
    (held) => withExceptions(layers, held),
  );

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
