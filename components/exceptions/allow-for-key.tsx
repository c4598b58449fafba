"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import type { Generation } from "@/lib/records/generations/contract";
import type { DecidedRule } from "./liftable-rules";

const GrantDialog = lazyComponent(() => import("./grant-dialog").then((file) => file.GrantDialog));

/** The decision that stopped a request: a block, otherwise the first exclusion by a guardrail. */
const blockedBy = ({ decisions }: Generation): DecidedRule | undefined =>
  decisions.find(({ action }) => action === "block") ??
  decisions.find(({ action, scope }) => action === "exclude" && scope !== "request");

/** Button on a blocked request that grants its key an exception. */
export function AllowForKey({ generation }: { generation: Generation }) {
  const [isOpen, setOpen] = useState(false);
  const { key_hash, key_name } = generation;
  const rule = blockedBy(generation);
  if (key_hash === null || !rule) return null;
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Grant exception to key…
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
