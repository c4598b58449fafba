import "server-only";
import type { Context } from "../../platform/context";
import { ApiError, invalid } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { MAX_LABELS } from "./contract";
import type * as contract from "./labels-contract";
import { assertVersion, revise } from "./service";

/** Moves a label to a version. */
export const set = (
  context: Context,
  input: Input<typeof contract.setPresetLabel>,
): Promise<Result<typeof contract.setPresetLabel>> =>
  revise(context, input, "preset.set_label", async (db, preset) => {
    const { version } = input.body;
    assertVersion(preset, ["version"], version);
    const presetId_name = { presetId: preset.id, name: input.params.label };
    await db.presetLabel.upsert({
      where: { presetId_name },
      create: { ...presetId_name, version },
      update: { version },
    });
    const count = await db.presetLabel.count({ where: { presetId: preset.id } });
    if (count > MAX_LABELS)
      throw invalid([{ path: ["label"], message: `A preset can have at most ${MAX_LABELS} labels`, code: "too_big" }]);
  });

export const remove = (
  context: Context,
  input: Input<typeof contract.deletePresetLabel>,
): Promise<Result<typeof contract.deletePresetLabel>> =>
  revise(context, input, "preset.remove_label", async (db, preset) => {
    const { label: name, slug } = input.params;
    const { count } = await db.presetLabel.deleteMany({ where: { presetId: preset.id, name } });
    if (count === 0)
      throw new ApiError(404, `Preset "${slug}" has no label "${name}"`, {
        reason: "preset_label_not_found",
        preset: slug,
      });
  });
