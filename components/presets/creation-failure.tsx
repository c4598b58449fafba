import { FailureAlert } from "@/components/form/failure-alert";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/text-link";
import { toFailure } from "@/lib/browser/api-failure";
import { presetPath } from "./preset-path";
import type { PresetAddress } from "./preset-queries";

const PRECONDITION_FAILED = 412;

interface CreationFailureProps {
  error: unknown;
  address: PresetAddress;
  /** Creates the version whatever the preset is by now. */
  onRetry: () => void;
}

/** Why no version was made; one that somebody else made meanwhile can be followed by this one. */
export function CreationFailure({ error, address: { slug, workspace }, onRetry }: CreationFailureProps) {
  const failure = toFailure(error);
  if (failure.status !== PRECONDITION_FAILED) return <FailureAlert failure={failure} />;
  return (
    <Alert
      kind="danger"
      title="This preset changed while you were editing"
      action={
        <Button size="sm" onClick={onRetry}>
          Create the version anyway
        </Button>
      }
    >
      Nothing was stored.{" "}
      <TextLink href={presetPath(slug, workspace, { tab: "versions" })}>Look at its history</TextLink>, or make yours on
      top: no version is lost.
    </Alert>
  );
}
