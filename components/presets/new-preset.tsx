"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { presetBodyQuery } from "@/components/generations/preset-body";
import { DataState, NoAccess } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useHomeWorkspace } from "@/components/session/use-home-workspace";
import { useMay } from "@/components/session/user-context";
import { Skeleton } from "@/components/ui/skeleton";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { NewPresetForm } from "./new-preset-form";
import { presetQuery, presetVersionQuery, type PresetAddress } from "./preset-queries";
import { NEW_PRESET_STATE } from "./preset-state";
import { bodyOf } from "./use-new-version";

/** Creates a preset, or a new version of the preset in the URL. */
export function NewPreset() {
  const canEdit = useMay("presets:write");
  const [{ from, from_generation, version, workspace: given }] = useQueryStates(NEW_PRESET_STATE);
  const home = useHomeWorkspace("presets:write");
  const workspace = given ?? home;
  if (!canEdit) {
    return (
      <>
        <PageHeader title="New preset" />
        <NoAccess subject="creating presets" permission="presets:write" />
      </>
    );
  }
  if (from !== null) return <NextVersion key={from} address={{ slug: from, workspace }} version={version} />;
  return (
    <>
      <PageHeader
        title="New preset"
        description="Fill in the form or paste a request body, and preview what will be stored."
      />
      {from_generation === null ? (
        <NewPresetForm workspace={workspace} base={null} />
      ) : (
        <FromGeneration key={from_generation} id={from_generation} workspace={workspace} />
      )}
    </>
  );
}

function FromGeneration({ id, workspace }: { id: string; workspace: string | null }) {
  const body = useQuery(presetBodyQuery(id));
  return (
    <DataState query={body} subject="this generation's content" skeleton={<Skeleton className="h-96 rounded-lg" />}>
      {(text) => <NewPresetForm workspace={workspace} base={null} start={text} />}
    </DataState>
  );
}

interface NextVersionProps {
  address: PresetAddress;
  /** The version to start from; null for the live one. */
  version: number | null;
}

function NextVersion({ address, version }: NextVersionProps) {
  const preset = useQuery(presetQuery(address));
  return (
    <>
      <PageHeader
        title={`New version of ${address.slug}`}
        description={`Based on ${version === null ? "the live version" : `version ${version}`}. Earlier versions stay in the history.`}
      />
      <DataState query={preset} subject="this preset" skeleton={<Skeleton className="h-96 rounded-lg" />}>
        {({ data }) =>
          version === null ? (
            <NewPresetForm workspace={address.workspace} base={data} />
          ) : (
            <FromVersion address={address} base={data} version={version} />
          )
        }
      </DataState>
    </>
  );
}

interface FromVersionProps {
  address: PresetAddress;
  base: PresetWithVersion;
  version: number;
}

function FromVersion({ address, base, version }: FromVersionProps) {
  const started = useQuery(presetVersionQuery(address, version));
  return (
    <DataState query={started} subject="this version" skeleton={<Skeleton className="h-96 rounded-lg" />}>
      {({ data }) => (
        <NewPresetForm
          workspace={address.workspace}
          base={base}
          start={bodyOf(data)}
          isOfOtherVersion={version !== base.designated_version.version}
        />
      )}
    </DataState>
  );
}
