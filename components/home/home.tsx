"use client";
import { useQuery } from "@tanstack/react-query";
import { Bookmark, KeyRound, ShieldCheck } from "lucide-react";
import { guardrailListQuery } from "@/components/guardrails/guardrail-queries";
import { keyListQuery } from "@/components/keys/key-queries";
import { PageHeader } from "@/components/layout/page-header";
import { presetListQuery } from "@/components/presets/preset-queries";
import { useUser } from "@/components/session/user-context";
import { CountCard } from "./count-card";
import { FirstRequest } from "./first-request";

export function Home() {
  const { name, isAdmin } = useUser();
  const guardrails = useQuery({ ...guardrailListQuery(0), enabled: isAdmin });
  const presets = useQuery(presetListQuery(0));
  const keys = useQuery(keyListQuery(0));
  return (
    <>
      <PageHeader title="Home" description={`Signed in as ${name}.`} />
      <div className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-3">
          {isAdmin && <CountCard href="/guardrails" label="Guardrails" icon={ShieldCheck} count={guardrails.data?.total_count} isFailed={guardrails.isError} />}
          <CountCard href="/presets" label="Presets" icon={Bookmark} count={presets.data?.total_count} isFailed={presets.isError} />
          <CountCard href="/keys" label={isAdmin ? "API keys" : "Your API keys"} icon={KeyRound} count={keys.data?.total_count} isFailed={keys.isError} />
        </div>
        <FirstRequest canCreateKeys={isAdmin} />
      </div>
    </>
  );
}
