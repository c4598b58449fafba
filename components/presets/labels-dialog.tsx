import { X } from "lucide-react";
import { useForm } from "react-hook-form";
import { FailureAlert } from "@/components/form/failure-alert";
import { showFailure } from "@/components/form/show-failure";
import { TextField } from "@/components/form/text-field";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toFailure } from "@/lib/browser/api-failure";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { offerUndo } from "./offer-undo";
import { useMoveLabel, type PresetAddress } from "./preset-queries";

interface LabelsDialogProps {
  preset: PresetWithVersion;
  address: PresetAddress;
  version: number;
  onClose: () => void;
}

/** Sets, moves and removes labels of a version, with undo. */
export function LabelsDialog({ preset, address, version, onClose }: LabelsDialogProps) {
  const { mutateAsync, isPending, error } = useMoveLabel(address);
  const form = useForm({ defaultValues: { label: "" } });
  const { labels, slug } = preset;
  const failure = error ? toFailure(error) : null;
  const move = async (label: string, to: number | null) => {
    const from = labels[label] ?? null;
    const { data } = await mutateAsync({ base: preset, label, version: to });
    const placed = (at: number | null, again = "") =>
      at === null ? `Label ${label} removed${again}` : `Label ${label} now points to version ${at}${again}`;
    offerUndo(placed(to), placed(from, " again"), () => mutateAsync({ base: data, label, version: from }));
  };
  const add = form.handleSubmit(async ({ label }) => {
    try {
      await move(label.trim(), version);
      form.reset();
    } catch (reason) {
      showFailure(form, toFailure(reason));
    }
  });
  const here = Object.keys(labels).filter((label) => labels[label] === version);
  const elsewhere = Object.entries(labels).filter(([, at]) => at !== version);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Labels of version ${version}`}
      description={`Requests to @preset/${slug}:label use the version the label points to. Changes take effect immediately.`}
    >
      {here.length > 0 && (
        <ul aria-label={`Labels on version ${version}`} className="flex flex-wrap gap-2">
          {here.map((label) => (
            <li key={label} className="flex items-center gap-1">
              <Badge tone="accent">{label}</Badge>
              <Button
                size="icon-sm"
                variant="ghost"
                aria-label={`Remove label ${label}`}
                disabled={isPending}
                onClick={() => void move(label, null).catch(() => undefined)}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form noValidate onSubmit={(event) => void add(event)} className="flex items-start gap-2">
        <TextField
          control={form.control}
          name="label"
          label="New label"
          className="min-w-0 grow"
          input={{ placeholder: "prod", autoComplete: "off", maxLength: 32 }}
        />
        {/* Aligned with the input, even with an error below it. */}
        <Button type="submit" variant="primary" disabled={isPending} className="mt-[1.625rem]">
          Set label
        </Button>
      </form>
      {elsewhere.length > 0 && (
        <section aria-labelledby="labels-elsewhere" className="grid gap-2">
          <h3 id="labels-elsewhere" className="text-[13px] font-medium">
            On other versions
          </h3>
          <ul className="flex flex-wrap gap-2">
            {elsewhere.map(([label, at]) => (
              <li key={label}>
                <Button size="sm" disabled={isPending} onClick={() => void move(label, version).catch(() => undefined)}>
                  Move {label} from version {at}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {failure && <FailureAlert failure={failure} control={form.control} />}
    </Dialog>
  );
}
