import { contentOf, stableStringify } from "../features/policy-file/canonical";
import type { FilePreset, FileVersion } from "../features/policy-file/contract";
import {
  createPresetFromResponses,
  listPresetVersions,
  updatePreset,
  type PresetWithVersion,
} from "../records/presets/contract";
import { deletePresetLabel, setPresetLabel } from "../records/presets/labels-contract";
import type { Api } from "./api";
import { versionBody } from "./bodies";
import { CliError } from "./cli-error";
import type { Step } from "./step";

const PAGE = 100;

/** Applies a preset. Versions are created first and designated last, so that no request sees an intermediate state. */
export async function applyPreset({ api, change, install }: Step, wanted: FilePreset | undefined): Promise<void> {
  const params = { slug: change.name };
  const query = { workspace_id: install.workspace(change.workspace ?? "") };
  const known = install.findPreset(change.workspace ?? "", change.name);
  let revision = known?.revision;
  if (change.action === "delete") {
    await api.call(updatePreset, { params, query, body: { status: "archived" }, ifMatch: revision });
    return;
  }
  if (!wanted) throw new CliError("missing in the policy file");
  const numbers = known ? await versionsOf(api, params, query) : new Map<string, number>();
  const numberOf = (version: FileVersion) => numbers.get(stableStringify(contentOf(version)));
  for (const version of inOrderOfMaking(wanted.versions)) {
    if (numberOf(version) !== undefined) continue;
    const message = version.message === undefined ? {} : { message: version.message };
    const made = await api.call(createPresetFromResponses, {
      params,
      query: { ...query, designate: "false", ...message },
      body: versionBody(version),
      ifMatch: revision,
    });
    revision = made.data.revision;
    numbers.set(stableStringify(contentOf(version)), made.created_version ?? made.data.designated_version.version);
  }
  const inUse = wanted.versions.find(({ in_use }) => in_use);
  const body = {
    name: wanted.name ?? wanted.slug,
    description: wanted.description ?? null,
    status: wanted.status ?? "active",
    ...(inUse && { designated_version: numberOf(inUse) }),
  };
  const { data } = await api.call(updatePreset, { params, query, body, ifMatch: revision });
  await moveLabels(
    api,
    { ...params, ...query },
    data,
    new Map(
      wanted.versions.flatMap((version) => (version.labels ?? []).map((label) => [label, numberOf(version) ?? 0])),
    ),
  );
}

/** Orders versions so that the live one comes first: a preset's first version is live immediately. */
const inOrderOfMaking = (versions: readonly FileVersion[]) =>
  versions.toSorted((a, b) => Number(b.in_use ?? false) - Number(a.in_use ?? false));

/** Returns the latest version number by content. */
async function versionsOf(
  api: Api,
  params: { slug: string },
  query: { workspace_id: string },
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (let offset = 0; ; offset += PAGE) {
    const { data, total_count } = await api.call(listPresetVersions, {
      params,
      query: { ...query, limit: String(PAGE), offset: String(offset) },
    });
    for (const { config, system_prompt, message, version } of data) {
      const content = {
        config,
        ...(system_prompt !== "" && { system_prompt }),
        ...(message !== null && { message }),
      } as FileVersion;
      numbers.set(stableStringify(contentOf(content)), version);
    }
    if (offset + data.length >= total_count || data.length === 0) return numbers;
  }
}

async function moveLabels(
  api: Api,
  { slug, workspace_id }: { slug: string; workspace_id: string },
  preset: PresetWithVersion,
  wanted: ReadonlyMap<string, number>,
): Promise<void> {
  let { revision } = preset;
  const query = { workspace_id };
  for (const label of Object.keys(preset.labels)) {
    if (!wanted.has(label))
      revision = (await api.call(deletePresetLabel, { params: { slug, label }, query, ifMatch: revision })).data
        .revision;
  }
  for (const [label, version] of wanted) {
    if (preset.labels[label] !== version)
      revision = (
        await api.call(setPresetLabel, { params: { slug, label }, query, body: { version }, ifMatch: revision })
      ).data.revision;
  }
}
