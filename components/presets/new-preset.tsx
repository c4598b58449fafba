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

/** Creates a preset, or a new version of the preset in the URL. */
export function NewPreset() {
  const { isAdmin } = useUser();
  const [{ from, from_generation, workspace }] = useQueryStates(NEW_PRESET_STATE);
  if (!isAdmin) {
    return (
      <>
        <PageHeader title="New preset" />
        <EmptyState icon={Lock} title="You don't have permission to create presets">
          Ask an admin of your organization for access.
        </EmptyState>
      </>
    );
  }
  if (from !== null) return <NextVersion key={from} address={{ slug: from, workspace }} />;
  return (
    <>
      <PageHeader title="New preset" description="Paste a request body and preview what will be stored." />
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

function NextVersion({ address }: { address: PresetAddress }) {
  const preset = useQuery(presetQuery(address));
  return (
    <>
      <PageHeader
        title={`New version of ${address.slug}`}
        description="Based on the live version. Earlier versions stay in the history."
      />
      <DataState query={preset} subject="this preset" skeleton={<Skeleton className="h-96 rounded-lg" />}>
        {({ data }) => <NewPresetForm workspace={address.workspace} base={data} />}
      </DataState>
    </>
  );
}
