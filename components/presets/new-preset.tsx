"use client";
import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { useQueryStates } from "nuqs";
import { presetBodyQuery } from "@/components/generations/preset-body";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useUser } from "@/components/session/user-context";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { NewPresetForm } from "./new-preset-form";
import { presetQuery, type PresetAddress } from "./preset-queries";
import { NEW_PRESET_STATE } from "./preset-state";

/** Makes a preset, or the next version of the one that the URL names. */
export function NewPreset() {
  const { isAdmin } = useUser();
  const [{ from, from_generation, workspace }] = useQueryStates(NEW_PRESET_STATE);
  if (!isAdmin) {
    return (
      <>
        <PageHeader title="New preset" />
        <EmptyState icon={Lock} title="Your role does not include making presets">
          Ask an admin of your organization.
        </EmptyState>
      </>
    );
  }
  if (from !== null) return <NextVersion key={from} address={{ slug: from, workspace }} />;
  return (
    <>
      <PageHeader
        title="New preset"
        description="Paste the body of a request: you see what is kept of it before anything is stored."
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
    <DataState
      query={body}
      subject="the content of this generation"
      skeleton={<Skeleton className="h-96 rounded-lg" />}
    >
      {(text) => <NewPresetForm workspace={workspace} base={null} start={text} />}
    </DataState>
  );
}

function NextVersion({ address }: { address: PresetAddress }) {
  const preset = useQuery(presetQuery(address));
  return (
    <>
      <PageHeader
        title={`New version of ${address.slug}`}
        description="Starts from the version in use. The new one is used as soon as it is made; the others stay in the history."
      />
      <DataState query={preset} subject="this preset" skeleton={<Skeleton className="h-96 rounded-lg" />}>
        {({ data }) => <NewPresetForm workspace={address.workspace} base={data} />}
      </DataState>
    </>
  );
}
