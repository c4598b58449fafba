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
  /** Creates the version regardless of concurrent changes. */
  onRetry: () => void;
}

/** Error on creating a version. After a conflict, the version can be created on top of the newer one. */
export function CreationFailure({ error, address: { slug, workspace }, onRetry }: CreationFailureProps) {
  const failure = toFailure(error);
  if (failure.status !== PRECONDITION_FAILED) return <FailureAlert failure={failure} isOfJson />;
  return (
    <Alert
      kind="danger"
      title="This preset changed while you were editing"
      action={
        <Button size="sm" onClick={onRetry}>
          Create version anyway
        </Button>
      }
    >
      Your version wasn&apos;t saved.{" "}
      <TextLink href={presetPath(slug, workspace, { tab: "versions" })}>View the history</TextLink>, or create yours on
      top of the latest version.
    </Alert>
  );
}
