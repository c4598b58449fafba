"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { persistently } from "@/components/ui/deferred";
import type { Generation } from "@/lib/generations/contract";
import type { DecidedRule } from "./liftable-rules";

const GrantDialog = dynamic(() => persistently(() => import("./grant-dialog")));

/** What stood in a request's way: a block, else the first exclusion by a guardrail. */
const blockedBy = ({ decisions }: Generation): DecidedRule | undefined =>
  decisions.find(({ action }) => action === "block") ??
  decisions.find(({ action, scope }) => action === "exclude" && scope !== "request");

/** From a request that was stopped to an exception for its key. */
export function AllowForKey({ generation }: { generation: Generation }) {
  const [isOpen, setOpen] = useState(false);
  const { key_hash, key_name } = generation;
  const rule = blockedBy(generation);
  if (key_hash === null || !rule) return null;
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Allow for this key…
      </Button>
      {isOpen && (
        <GrantDialog
          subject={{ key_hash }}
          name={key_name ?? "this key"}
          blockedBy={rule}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
